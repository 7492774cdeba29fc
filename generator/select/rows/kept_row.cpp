#include "select/rows/kept_row.h"

#include <algorithm>

#include "fuse/attention/attention_form.h"
#include "select/axes/invariant_motion.h"
#include "select/axes/working_set.h"

namespace burin {

std::optional<LoopPlan> schedule_kept_row(const Kernel& kernel, const Hardware& hardware,
                                          const Given& verbs) {
  if (!verbs.may("keep row") || kernel.writes.empty() || is_sequential(kernel)) return std::nullopt;
  const bool plain = std::all_of(kernel.lets.begin(), kernel.lets.end(),
                                 [](const Let& let) { return let.body.size() == 1; }) &&
                     reads_lets_in_place(kernel);
  if (!plain) return std::nullopt;
  const Kernel kept = with_functions_once(kernel, working_set_bytes(hardware.memory));
  if (kept.lets.size() == kernel.lets.size()) return std::nullopt;
  LoopPlan out = schedule_loops(kept);
  out.verbs.push_back({"keep row", {}});
  out.reason += "; functions of elements are kept for a row";
  return out;
}

}  // namespace burin
