#include "backends/model_plan.h"

#include <algorithm>
#include <set>

#include "kernel/place_of.h"
#include "select/schedule/schedule_indices.h"

namespace burin {

int image_number(const ModelPlan& plan, ValueId id) {
  int number = 0;
  for (const auto& [constant, bytes] : plan.image_constants) {
    if (constant == id) return number;
    ++number;
  }
  for (const ImageSlot& slot : plan.image_pool.slots) {
    if (std::find(slot.values.begin(), slot.values.end(), id) != slot.values.end()) return number;
    ++number;
  }
  return -1;
}

std::vector<ComputedSize> computed_sizes(const ModelPlan& plan) {
  std::vector<ComputedSize> out = computed_sizes(plan.graph);
  for (ComputedSize& size : computed_sizes(plan.memory)) out.push_back(std::move(size));
  int64_t weights = 0;
  std::set<ValueId> counted;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    for (const ValueId id : reads_of(step)) {
      const Value& value = plan.graph.values[static_cast<size_t>(id)];
      if (value.kind == ValueKind::constant && counted.insert(id).second)
        weights += static_cast<int64_t>(value.constant.bytes);
    }
  });
  out.push_back({weights, [] { return Location{.node = "the weights"}; }, false, true});
  for_each_step(plan.graph.steps, [&](const Step& step) {
    const auto found = plan.kernels.find(step.id);
    if (found == plan.kernels.end()) return;
    const KernelSchedule& schedule = found->second;
    const auto add = [&](const Index& index) {
      std::vector<Symbol> symbols;
      index.collect_symbols(symbols);
      if (symbols.empty()) return;  // made of numbers, it has been checked
      out.push_back({index, [&step] { return place_of(step); }});
    };
    for_each_index(schedule, plan.graph.values, add);
    for_each_launch_index(schedule.launches, add);
  });
  return out;
}

}  // namespace burin
