// The toolchain and the emulator, for tests: clang-19 assembles and links, qemu-hexagon runs.
#pragma once

#include <string>
#include <vector>

#include "vliw/machine.h"

namespace burin::vliw::testing {

struct Output {
  int status = 0;
  std::string text;  // standard output and errors together
};
Output run_command(const std::string& command);

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

// A folder of our own below the build folder, empty.
std::string fresh_folder(const std::string& name);

// Assembles text for hexagon<version> ("v66"); empty if the assembler takes it, else its messages.
std::string assemble_text(const std::string& assembly, const std::string& object,
                          const std::string& version);

// Compiles or assembles a file of tests/vliw/support for the emulator.
Output build_support(const std::string& name, const std::string& flags, const std::string& object);

// Links the objects, runs them for at most so many seconds of processor time and gives what they
// print. The emulator (7.2) knows no chip above v67: the file's mark is set to v66 before it is
// run, whatever its instructions are.
Output link_and_run(const std::vector<std::string>& objects, const std::string& program,
                    const std::string& version, int seconds = 60);

// All in one process; each in its own; or that, and two in a row start from the same registers and
// memory.
enum class Runs { kTogether, kApart, kPairs };

// Wraps functions named f0, f1 ... with the table that the driver wants, and with `helper`, which
// they may call.
std::string with_function_table(const std::string& functions, int count, Runs runs);

// "v66" of "hexagon-v66".
std::string version_of(const Machine& machine);

// One line per function: number, checksum of all registers, checksum of all memory. Together, it
// stops early when the emulator dies; apart, a function that faults or does not end has a line that
// is_dead.
std::vector<std::string> run_functions(const std::string& assembly, int count,
                                       const std::string& folder, std::string& error,
                                       const std::string& version = "v66",
                                       Runs runs = Runs::kTogether);
bool is_dead(const std::string& line);

}  // namespace burin::vliw::testing
