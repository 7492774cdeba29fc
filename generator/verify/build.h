// Compiling an emitted tree into a test program, and running it.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hardware/hardware.h"

namespace burin {

// A compiler or runner that burin called did not do its work. The message is one line and the first
// lines of what the tool said.
class ToolFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SharedObjects;

// Assembly as a packer has it; the name is for messages.
using PackAssembly = std::function<std::string(const std::string& text, const std::string& name)>;

struct BuildOptions {
  Compiler compiler;
  bool fast = false;      // one translation unit with -O1, -O0 where it is sanitized
  bool sanitize = false;  // AddressSanitizer and UndefinedBehaviorSanitizer, which end the run
  std::vector<std::string> flags{};  // after all others
  int jobs = 1;                      // compilers at a time; without `fast`
  double seconds = 1200;             // for one compiler
  // Of many programs; null: each compiles what it has in common with others.
  SharedObjects* shared = nullptr;
  // Of what the tree's sources become, but for `fast`; empty: objects are what the compiler makes.
  PackAssembly pack{};
};

// The flags that every source of a tree is compiled with, warnings included.
std::vector<std::string> compile_flags(const BuildOptions& options);

// Compiles `sources` (paths in `tree`, the folder of a tree), `work`/driver.cpp and
// `work`/test_driver.cpp into a program beside these and returns its path; objects of the tree lie
// in `work`/objects unless `fast`. Throws ToolFailed.
std::string build_program(const std::string& tree, const std::vector<std::string>& sources,
                          const std::string& work, const BuildOptions& options);

// The same with objects that are there already: `work`/driver.cpp becomes `work`/program.
std::string link_program(const std::string& tree, const std::vector<std::string>& objects,
                         const std::string& work, const BuildOptions& options);

// `work`/test_driver.cpp as an object: its path.
std::string driver_object(const std::string& work, const BuildOptions& options);

// Compiles the sources only and returns the objects' paths.
std::vector<std::string> build_objects(const std::string& tree,
                                       const std::vector<std::string>& sources,
                                       const std::string& work, const BuildOptions& options);

}  // namespace burin
