#include "select/bits/bit_schedule.h"

#include "select/bits/bit_plan.h"
#include "select/bits/bit_program.h"
#include "select/threads/shared_program.h"

namespace burin {

std::optional<LoopPlan> schedule_bits(const Kernel& kernel, std::vector<Value>& values,
                                      const Hardware& hardware, const Given& given) {
  std::optional<BitPlan> plan = plan_bits(kernel, values, hardware, given);
  if (!plan) return std::nullopt;
  std::vector<ShareableLoop> loops;
  if (!plan->around.empty()) loops.push_back({plan->around[0], plan->extent(plan->around[0]), 1});
  if (plan->row >= 0) loops.push_back({plan->row, plan->extent(plan->row), plan->tile_rows});
  const auto share = [&](const std::optional<LoopParts>& sharing) {
    plan->shared = sharing ? loops[sharing->loop].axis : -1;
    plan->grain = sharing ? sharing->grain : 1;
  };
  const auto make = [&](const std::optional<LoopParts>& sharing) {
    share(sharing);
    return bit_program(*plan, values);
  };
  SharedProgram shared = share_program(loops, make, hardware, given);
  share(shared.sharing);
  loops::Program& program = shared.program;
  LoopPlan out;
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.kernel = plan->kernel;
  out.places.resize(out.kernel.lets.size());
  out.no_alias = true;
  out.family = "bit_sum";
  out.reason = "tile of " + std::to_string(plan->tile_rows) + " x " +
               std::to_string(plan->tile_columns()) + " sums by " +
               (plan->window ? plan->rows.lanes : plan->rows.group)->name;
  if (plan->window) out.reason += ", the operand staged once for all taps";
  out.reason += reason_of(shared);
  out.verbs = {{"instruction", {plan->tile_rows, plan->vectors}}};
  if (plan->shared >= 0) {
    out.cut = Cut{{plan->shared, plan->extent(plan->shared), plan->grain}, hardware.threads_max};
    out.verbs.push_back({"threads", {plan->shared, plan->grain}});
  }
  return out;
}

}  // namespace burin
