// The toolchain and the emulator, for tests: clang-19 assembles and links, qemu-hexagon runs.
#pragma once

#include <string>
#include <vector>

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

// Wraps functions named f0, f1 ... with the table that the driver wants.
std::string with_function_table(const std::string& functions, int count);

// One line per function: number, checksum of all registers, checksum of all memory. Stops early
// when the emulator dies.
std::vector<std::string> run_functions(const std::string& assembly, int count,
                                       const std::string& folder, std::string& error);

}  // namespace burin::vliw::testing
