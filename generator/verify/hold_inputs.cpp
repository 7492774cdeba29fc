#include "verify/hold_inputs.h"

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostElements = 16;

bool may_hold(const Tensor& tensor) {
  if (tensor.shape.size() > 1 || tensor.elements() > kMostElements) return false;
  return !is_float(tensor.type) || tensor.elements() == 1;
}

}  // namespace

bool needs_held_input(const Refused& refused) {
  const std::string& rule = refused.diagnostics.front().rule;
  return rule.starts_with("dynamic-") || rule == "unbounded-size" || rule == "out-of-range";
}

Compiled compile_holding(CompileOptions& options, const Hardware& hardware, const DataSet& data) {
  options.import.contents = data.contents;
  for (const auto& input : data.inputs) {
    if (input && input->tensor.elements() == 0) options.import.least_size = 0;
  }
  size_t next = data.inputs.size();
  for (;;) {
    try {
      return compile(options, hardware);
    } catch (const Refused& refused) {
      if (!needs_held_input(refused)) throw;
      do {
        if (next == 0) throw;
        --next;
      } while (!data.inputs[next] || !may_hold(data.inputs[next]->tensor));
      options.held.emplace(next, data.inputs[next]->tensor);
    }
  }
}

}  // namespace burin
