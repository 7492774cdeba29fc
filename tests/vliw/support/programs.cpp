#include "vliw/support/programs.h"

#include "support/diagnostics.h"
#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::testing {
namespace {

const std::vector<std::string> kPrograms = {"strings", "integers", "control", "floats", "vectors"};

std::string source(const std::string& name) {
  return "'" + std::string(BURIN_SOURCE_DIR) + "/tests/vliw/programs/" + name + ".c'";
}

class Comparison {
 public:
  Comparison(const Compilation& compilation, const std::string& folder)
      : compilation_(compilation), folder_(folder) {}

  ProgramCounts run(const std::vector<Policy>& policies) {
    for (const std::string& name : all()) {
      const Output made =
          run_command("clang-19 --target=hexagon -mcpu=hexagon" + compilation_.version +
                      " -mhvx -mhvx-length=128b -ffreestanding -fno-pic -G0 -w -S " +
                      compilation_.flags + " -o '" + folder_ + name + ".s' " + source(name));
      if (made.status != 0) return fail(name, made.text);
    }
    if (!build("")) return counts_;
    std::vector<std::string> expected;
    for (const std::string& name : kPrograms) {
      const Output ran = execute(name, "");
      if (ran.status != 0 || ran.text.empty()) return fail(name, "as compiled: " + ran.text);
      expected.push_back(ran.text);
    }
    for (const Policy policy : policies) {
      const std::string suffix = "_" + std::string(name_of(policy));
      if (!packed(policy, suffix) || !build(suffix)) continue;
      for (size_t k = 0; k < kPrograms.size(); ++k) {
        const Output ran = execute(kPrograms[k], suffix);
        if (ran.status == 0 && ran.text == expected[k])
          ++counts_.compared;
        else
          fail(kPrograms[k] + suffix, "prints\n" + ran.text + "instead of\n" + expected[k]);
      }
    }
    return counts_;
  }

 private:
  static std::vector<std::string> all() {
    std::vector<std::string> names = kPrograms;
    names.push_back("runtime");
    return names;
  }

  ProgramCounts fail(const std::string& name, const std::string& what) {
    counts_.problems.push_back(compilation_.version + " " + compilation_.flags + " " + name + ": " +
                               what);
    return counts_;
  }

  bool packed(Policy policy, const std::string& suffix) {
    const Machine machine = load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-" +
                                         compilation_.version + ".json");
    PackOptions options;
    options.policy = policy;
    options.strict = true;
    for (const std::string& name : all()) {
      try {
        const PackResult result =
            pack(read_assembly(read_text(folder_ + name + ".s"), name + ".s", machine), machine,
                 options);
        for (const std::string& warning : result.warnings) fail(name + suffix, warning);
        write_text(folder_ + name + suffix + ".s", print_assembly(result.module));
      } catch (const std::exception& error) {
        fail(name + suffix, error.what());
        return false;
      }
    }
    return true;
  }

  bool build(const std::string& suffix) {
    for (const std::string& name : all()) {
      const std::string file = folder_ + name + suffix;
      const std::string refused =
          assemble_text(read_text(file + ".s"), file + ".o", compilation_.version);
      if (!refused.empty()) {
        fail(name + suffix, refused);
        return false;
      }
    }
    return true;
  }

  Output execute(const std::string& name, const std::string& suffix) {
    return link_and_run({folder_ + name + suffix + ".o", folder_ + "runtime" + suffix + ".o"},
                        folder_ + name + suffix, compilation_.version);
  }

  const Compilation& compilation_;
  const std::string& folder_;
  ProgramCounts counts_;
};

}  // namespace

ProgramCounts compare_programs(const Compilation& compilation, const std::vector<Policy>& policies,
                               const std::string& folder) {
  return Comparison(compilation, folder).run(policies);
}

}  // namespace burin::vliw::testing
