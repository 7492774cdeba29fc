#include "fuzz/support/targets.h"

#include <array>
#include <fstream>
#include <map>

#include "backends/emit.h"
#include "hardware/load.h"
#include "import/dims.h"
#include "pipeline.h"
#include "plan/memory/check_regions.h"
#include "report/analysis.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "verify/self_test.h"

namespace burin::fuzz {
namespace {

constexpr int64_t kSelfTestOperations = 100'000;

const Hardware& hardware_for(std::string_view bytes) {
  static const std::vector<Hardware> all = [] {
    std::vector<Hardware> out;
    for (const char* name :
         {"cpp-generic", "x86-64-v3", "armv8-neoverse-n1", "x86-64-v4-vnni", "cortex-m7",
          "hexagon-v66", "riscv64-v", "opencl-generic", "nvidia-h200"})
      out.push_back(load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/" + name + ".json"));
    return out;
  }();
  unsigned sum = 0;
  for (const char c : bytes) sum += static_cast<unsigned char>(c);
  return all[sum % all.size()];
}

// What a user might say (--dim) about one of the sizes that the model has. Names that no flag takes
// are refused.
void say_a_size(CompileOptions& options, const KernelGraph& graph, std::string_view bytes) {
  const std::vector<Symbol> sizes = sizes_of(graph);
  if (sizes.empty()) return;
  unsigned sum = 17;
  for (const char c : bytes) sum = sum * 31 + static_cast<unsigned char>(c);
  static constexpr std::array<const char*, 8> kSaid = {"0",   "1",   "2",    "0..",
                                                       "..2", "7..", "3..9", "..4@2"};
  const std::string name = sizes[sum / kSaid.size() % sizes.size()]->name;
  options.import.dims = {parse_dim_binding(name + "=" + kSaid[sum % kSaid.size()])};
}

}  // namespace

bool generate_input(std::string_view bytes, const std::string& scratch) {
  CompileOptions options = limited_options();
  options.model = scratch + "/m.onnx";
  std::ofstream(options.model, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  const auto whole_way = [&] {
    Compiled compiled = compile(options, hardware_for(bytes));
    to_text(analyze(compiled));
    SelfTestOptions self_test;
    self_test.operations = kSelfTestOperations;
    located({.file = options.model}, [&] {
      compiled.plan.self_test = make_self_test(compiled, options, self_test);
      const cpp::EmittedTree emitted = emit_tree(compiled.plan);
      BURIN_CHECK(!emitted.tree.entries().empty());
    });
    say_a_size(options, compiled.plan.graph, bytes);
  };
  if (!accepted(options.model, whole_way)) return false;
  if (!options.import.dims.empty()) accepted(options.model, whole_way);
  return true;
}

}  // namespace burin::fuzz
