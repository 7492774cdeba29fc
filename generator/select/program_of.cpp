#include "select/program_of.h"

#include "loops/transforms/texels.h"
#include "select/programs/attention_program.h"
#include "select/programs/device/launch_program.h"
#include "select/programs/making.h"

namespace burin {

loops::Program program_of(const LoopPlan& plan, const std::vector<Value>& values) {
  if (plan.program) return *plan.program;
  if (!plan.launches.empty()) return launch_program(plan, values, {});
  Making making(plan, values);
  loops::Stmts body;
  if (plan.attention) body = attention_stmts(making);
  if (plan.contraction) {
    body = plan.contraction->winograd ? winograd_stmts(making)
           : plan.contraction->window ? window_stmts(making)
                                      : product_stmts(making);
  }
  append(body, generic_stmts(making, plan.loops));
  return making.finish(std::move(body));
}

loops::Program launch_program(const KernelSchedule& schedule, const std::vector<Value>& values,
                              const ImageMaps& images) {
  const LoopPlan plan{schedule};
  Making making(plan, values, images);
  return loops::stage_texels(making.finish(launch_stmts(making)));
}

}  // namespace burin
