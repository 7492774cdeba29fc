#include "backends/kept_states.h"

#include "hardware/capabilities.h"

namespace burin {

std::vector<KeptState> kept_on_device(const ModelPlan& plan) {
  std::vector<KeptState> out;
  if (!has_device(plan.hardware)) return out;
  for (const Step& step : plan.graph.steps) {
    const auto* procedure = std::get_if<Procedure>(&step);
    if (procedure == nullptr || procedure->function != "keep_state") continue;
    const KeptState one{procedure->reads.at(0), procedure->writes.at(0)};
    const Value& value = plan.graph.values[static_cast<size_t>(one.output)];
    if (product(value.shape).is_constant()) out.push_back(one);
  }
  return out;
}

std::set<ValueId> values_of(const std::vector<KeptState>& states) {
  std::set<ValueId> out;
  for (const KeptState& one : states) out.insert({one.input, one.output});
  return out;
}

}  // namespace burin
