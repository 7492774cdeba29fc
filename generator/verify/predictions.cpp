#include "verify/predictions.h"

#include <algorithm>
#include <set>

#include "cost/cost.h"

namespace burin {

Predictions::Predictions(const ModelPlan& plan) : plan_(plan) {
  std::set<ValueId> met;
  for (const auto& [step, schedule] : plan.kernels) {
    if (!schedule.program) continue;
    for (const loops::Buffer& buffer : schedule.program->buffers) {
      if (buffer.scope != loops::Scope::argument || !met.insert(buffer.value).second) continue;
      bytes_between_ += size_bytes(buffer.type, at_hints(product(buffer.shape)));
    }
  }
}

int64_t Predictions::cycles(StepId step) const {
  const auto found = plan_.kernels.find(step);
  if (found == plan_.kernels.end() || !found->second.program) return 0;
  const std::optional<Cut>& cut = found->second.cut;
  cost::Question question;
  // One thread takes all parts of one axis at once; of two, all of the second at each of the first.
  question.one_call = !cut || !cut->across;
  question.bytes_between = bytes_between_;
  question.from_afar = [this](ValueId id) {
    return plan_.graph.values[static_cast<size_t>(id)].kind != ValueKind::internal;
  };
  if (question.one_call)
    return cost::cost_of(*found->second.program, plan_.hardware, question).cycles();
  const int64_t points = at_hints(cut->extent), part = std::min(points, cut->grain);
  question.parts = {{0, part}, {0, at_hints(cut->across->extent)}};
  const int64_t cycles = cost::cost_of(*found->second.program, plan_.hardware, question).cycles();
  return cycles * points / std::max<int64_t>(1, part);
}

}  // namespace burin
