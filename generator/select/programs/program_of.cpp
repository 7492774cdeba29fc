#include "select/programs/program_of.h"

#include "select/programs/attention_program.h"
#include "select/programs/making.h"

namespace burin {

std::optional<loops::Program> program_of(const KernelSchedule& schedule,
                                         const std::vector<Value>& values) {
  if (schedule.program) return *schedule.program;
  if (!schedule.launches.empty()) return std::nullopt;
  Making making(schedule, values);
  loops::Stmts body;
  if (schedule.attention) body = attention_stmts(making);
  if (schedule.contraction)
    body = schedule.contraction->window ? window_stmts(making) : product_stmts(making);
  append(body, generic_stmts(making, schedule.loops));
  return making.finish(std::move(body));
}

}  // namespace burin
