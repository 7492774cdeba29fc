#include "backends/kept_states.h"

#include "hardware/capabilities.h"
#include "kernel/index/size_bound.h"

namespace burin {

std::vector<KeptState> kept_states(const ModelPlan& plan) {
  std::vector<KeptState> out;
  for (const Step& step : plan.graph.steps) {
    const auto* procedure = std::get_if<Procedure>(&step);
    if (procedure != nullptr && procedure->function == "keep_state")
      out.push_back({procedure->reads.at(0), procedure->writes.at(0)});
  }
  return out;
}

std::vector<KeptState> kept_on_device(const ModelPlan& plan) {
  std::vector<KeptState> out;
  if (!has_device(plan.hardware)) return out;
  for (const KeptState& one : kept_states(plan)) {
    const Dim size = product(plan.graph.values[static_cast<size_t>(one.output)].shape);
    if (is_known_before_run(size)) out.push_back(one);
  }
  return out;
}

int state_number(const std::vector<KeptState>& states, ValueId id) {
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i].input == id || states[i].output == id) return static_cast<int>(i);
  }
  return -1;
}

std::set<ValueId> values_of(const std::vector<KeptState>& states) {
  std::set<ValueId> out;
  for (const KeptState& one : states) out.insert({one.input, one.output});
  return out;
}

}  // namespace burin
