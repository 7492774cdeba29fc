#include "select/integers/integer_schedule.h"

#include "select/integers/integer_program.h"
#include "select/integers/plan.h"
#include "select/integers/share.h"

namespace burin {
namespace {

Verbs verbs_of(const IntegerPlan& plan) {
  Verbs out{{"instruction", {plan.tile_rows, plan.vectors}}};
  if (plan.matrix) out[0].numbers.push_back(plan.matrix->groups);
  if (plan.share != Share::none)
    out.push_back({"threads", {shared_axis(plan, plan.share), plan.grain}});
  return out;
}

std::string reason_of(const IntegerPlan& plan) {
  std::string out = "tile of " + std::to_string(plan.tile_rows) + " x " +
                    std::to_string(plan.tile_columns()) + " sums by " +
                    (plan.matrix   ? plan.matrix->rows.add->name
                     : plan.bundle ? plan.bundle.row->name
                                   : plan.dot->name);
  if (plan.window) out += ", the operand staged once for all taps";
  return out;
}

}  // namespace

std::optional<LoopPlan> schedule_integers(const Kernel& kernel, std::vector<Value>& values,
                                          const Hardware& hardware, const Given& given,
                                          const isa::Rows& rows) {
  std::optional<IntegerPlan> plan = plan_integers(kernel, values, hardware, given, rows);
  if (!plan) return std::nullopt;
  const IntegerSharing loops = loops_to_share(*plan);
  const auto make = [&](const std::optional<LoopParts>& sharing) {
    share(*plan, loops, sharing);
    return integer_program(*plan, values);
  };
  SharedProgram shared = share_program(loops.loops, make, hardware, given);
  share(*plan, loops, shared.sharing);
  LoopPlan out;
  loops::Program& program = shared.program;
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.kernel = plan->kernel;
  out.places.resize(out.kernel.lets.size());
  out.no_alias = true;
  out.family = "integer_product";
  out.reason = reason_of(*plan) + reason_of(shared);
  if (plan->share != Share::none)
    out.cut = Cut{plan->counts_parts()
                      ? CutAxis{shared_axis(*plan, plan->share), plan->parts, 1}
                      : CutAxis{shared_axis(*plan, plan->share), shared_extent(*plan), plan->grain},
                  hardware.threads_max};
  out.verbs = verbs_of(*plan);
  out.repacked = std::move(plan->repacked);
  return out;
}

}  // namespace burin
