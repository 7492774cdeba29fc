#include "select/integers/integer_schedule.h"

#include "loops/program_text.h"
#include "loops/verify_program.h"
#include "select/integers/integer_program.h"
#include "select/integers/plan.h"
#include "support/check.h"

namespace burin {
namespace {

int axis_of(const IntegerPlan& plan) {
  switch (plan.share) {
    case Share::batch:
      return plan.batch[0];
    case Share::bands:
      return plan.window->rows.output;
    case Share::columns:
      return plan.n;
    default:
      return plan.m;
  }
}

std::string reason_of(const IntegerPlan& plan) {
  std::string out = "tile of " + std::to_string(plan.tile_rows) + " x " +
                    std::to_string(plan.tile_columns()) + " sums by " + plan.dot->name;
  if (plan.window) out += ", the operand staged once for all taps";
  return out;
}

}  // namespace

std::optional<KernelSchedule> schedule_integers(const Kernel& kernel, std::vector<Value>& values,
                                                const Hardware& hardware) {
  std::optional<IntegerPlan> plan = plan_integers(kernel, values, hardware);
  if (!plan) return std::nullopt;
  KernelSchedule out;
  loops::Program program = integer_program(*plan, values);
  if (plan->share != Share::none && !loops::verify(program).empty()) {
    // What is not shown to be apart one thread does.
    plan->share = Share::none;
    program = integer_program(*plan, values);
  }
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.kernel = plan->kernel;
  out.places.resize(out.kernel.lets.size());
  out.no_alias = true;
  out.family = "integer_product";
  out.reason = reason_of(*plan);
  if (plan->share != Share::none)
    out.cut = Cut{{axis_of(*plan), plan->parts, 1}, hardware.threads_max};
  return out;
}

}  // namespace burin
