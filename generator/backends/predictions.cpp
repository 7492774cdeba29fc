#include "backends/predictions.h"

#include <algorithm>
#include <set>

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

Predictions::Call Predictions::call_of(StepId step) const {
  const auto found = plan_.kernels.find(step);
  if (found == plan_.kernels.end() || !found->second.program) return {};
  const std::optional<Cut>& cut = found->second.cut;
  cost::Question question;
  // One thread takes all parts of one axis at once; of two, all of the second at each of the first.
  question.one_call = !cut || !cut->across;
  question.bytes_between = bytes_between_;
  question.from_afar = [this](ValueId id) {
    return plan_.graph.values[static_cast<size_t>(id)].kind != ValueKind::internal;
  };
  Call out;
  if (!question.one_call) {
    out.points = at_hints(cut->extent);
    out.part = std::max<int64_t>(1, std::min(out.points, cut->grain));
    question.parts = {{0, out.part}, {0, at_hints(cut->across->extent)}};
  }
  out.cost = cost::cost_of(*found->second.program, plan_.hardware, question);
  return out;
}

int64_t Predictions::cycles(StepId step) const {
  const Call call = call_of(step);
  return call.cost.cycles() * call.points / call.part;
}

int64_t Predictions::cycles_of_memory(StepId step) const {
  const Call call = call_of(step);
  return call.cost.memory * call.points / call.part;
}

int64_t Predictions::cycles_one_by_one(StepId step) const {
  const Call call = call_of(step);
  return call.cost.one_by_one * call.points / call.part;
}

}  // namespace burin
