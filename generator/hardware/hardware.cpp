#include "hardware/hardware.h"

namespace burin {

const char* name_of(Target target) {
  switch (target) {
    case Target::kCpp:
      return "cpp";
    case Target::kOpenCl:
      return "opencl";
  }
  return "";
}

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::kGeneric:
      return "generic";
    case Isa::kX86_64:
      return "x86_64";
    case Isa::kAarch64:
      return "aarch64";
    case Isa::kHexagon:
      return "hexagon";
  }
  return "";
}

const char* name_of(ByteOrder order) { return order == ByteOrder::kLittle ? "little" : "big"; }

const char* name_of(Profile profile) {
  return profile == Profile::kHosted ? "hosted" : "freestanding";
}

const char* name_of(Optimise optimise) { return optimise == Optimise::kSpeed ? "speed" : "size"; }

const char* name_of(ProgramKind program) {
  switch (program) {
    case ProgramKind::kHosted:
      return "hosted";
    case ProgramKind::kBareLinux:
      return "bare_linux";
    case ProgramKind::kSemihosting:
      return "semihosting";
  }
  return "";
}

const Compiler* Hardware::find_compiler(const std::string& compiler) const {
  for (const Compiler& one : compilers) {
    if (one.name == compiler) return &one;
  }
  return nullptr;
}

std::vector<std::string> Hardware::command_of(const std::string& test_program,
                                              const std::vector<std::string>& arguments) const {
  std::vector<std::string> out = runner;
  out.push_back(test_program);
  if (program != ProgramKind::kSemihosting) {
    out.insert(out.end(), arguments.begin(), arguments.end());
    return out;
  }
  std::string lines;
  for (const std::string& argument : arguments) lines += "\n" + argument;
  out.insert(out.end(), {"-append", lines});
  return out;
}

}  // namespace burin
