// The checker of thread groups. It shares no code with the planner: what is touched is marked step
// by step, elements are compared as the checker of launch groups does.
#include <set>

#include "select/joint/check_elements.h"
#include "select/joint/thread_groups.h"

namespace burin {

std::string check_thread_groups(const ThreadGroups& plan, const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views) {
  std::map<StepId, size_t> places;
  for (size_t i = 0; i < graph.steps.size(); ++i) places[graph.steps[i].id] = i;
  std::set<StepId> seen;
  for (const ThreadGroup& group : plan.groups) {
    if (group.steps.size() < 2) return "a group of one kernel";
    Dim parts = 0;
    for (size_t k = 0; k < group.steps.size(); ++k) {
      const StepId id = group.steps[k];
      const auto place = places.find(id), first = places.find(group.steps[0]);
      if (place == places.end() || first == places.end() || place->second != first->second + k)
        return "members do not follow each other";
      if (!seen.insert(id).second) return "a kernel is in two groups";
      const Step& step = graph.steps[place->second];
      if (!std::holds_alternative<Kernel>(step) || views.contains(id))
        return "a member is no kernel that runs";
      const std::optional<Cut>& cut = kernels.at(id).cut;
      if (cut && cut->across) return "a member is cut along two axes";
      parts += cut ? cut->calls() : Dim(1);
      for (size_t other = 0; other < k; ++other) {
        const Step& before = graph.steps[places.at(group.steps[other])];
        for (const auto& [changing, touching] : {std::pair{&before, &step}, {&step, &before}}) {
          for (const ValueId id_of : writes_of(*changing)) {
            for (const ValueId read : reads_of(*touching)) {
              if (read == id_of) return "a member reads what another one writes";
            }
            for (const ValueId written : writes_of(*touching)) {
              if (written == id_of && !write_other_elements(*changing, *touching, id_of))
                return "two members write the same elements";
            }
          }
        }
      }
    }
    if (!(parts == group.parts)) return "a group has other parts than its members";
  }
  return {};
}

}  // namespace burin
