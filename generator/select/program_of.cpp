#include "select/program_of.h"

#include "loops/transforms/texels.h"
#include "select/programs/attention_program.h"
#include "select/programs/device/launch_program.h"
#include "select/programs/making.h"

namespace burin {

loops::Program program_of(const KernelSchedule& schedule, const std::vector<Value>& values,
                          const ImageMaps& images) {
  if (schedule.program) return *schedule.program;
  Making making(schedule, values, images);
  if (!schedule.launches.empty()) return loops::stage_texels(making.finish(launch_stmts(making)));
  loops::Stmts body;
  if (schedule.attention) body = attention_stmts(making);
  if (schedule.contraction) {
    body = schedule.contraction->winograd ? winograd_stmts(making)
           : schedule.contraction->window ? window_stmts(making)
                                          : product_stmts(making);
  }
  append(body, generic_stmts(making, schedule.loops));
  return making.finish(std::move(body));
}

}  // namespace burin
