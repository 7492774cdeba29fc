#include "select/rows/kept_row.h"

#include <algorithm>

#include "fuse/attention/attention_form.h"
#include "select/axes/invariant_motion.h"
#include "select/axes/working_set.h"

namespace burin {
namespace {

// Compilers write shorter rows out, and compute what is the same once.
constexpr int64_t kLeastKept = 17;

// Whether rows of functions are worth it, and have room at every size: no caller brings memory for
// a row without end.
bool has_room(const Kernel& kernel, int64_t room) {
  const std::vector<int> common = common_axes(kernel);
  Dim bytes = 0;
  for (const Let& let : kernel.lets) {
    if (let.op != Combiner::none) continue;
    Dim elements = 1;
    for (const int axis : let.over) {
      if (!contains(common, axis)) elements *= kernel.axes[static_cast<size_t>(axis)].extent;
    }
    if (elements.is_constant(1)) continue;
    if (proven_lt(elements, kLeastKept)) return false;
    bytes += elements * (size_bits(let.accumulator[0]) / 8);
  }
  return proven_le(bytes, room);
}

}  // namespace

std::optional<LoopPlan> schedule_kept_row(const Kernel& kernel, const Hardware& hardware,
                                          const Given& verbs) {
  if (!verbs.may("keep row") || kernel.writes.empty() || is_sequential(kernel)) return std::nullopt;
  const bool plain = std::all_of(kernel.lets.begin(), kernel.lets.end(),
                                 [](const Let& let) { return let.body.size() == 1; }) &&
                     reads_lets_in_place(kernel);
  if (!plain) return std::nullopt;
  const int64_t room = working_set_bytes(hardware.memory, 0);
  const Kernel kept = with_functions_once(kernel, room);
  if (kept.lets.size() == kernel.lets.size() || !has_room(kept, room)) return std::nullopt;
  LoopPlan out = schedule_loops(kept);
  out.verbs.push_back({"keep row", {}});
  out.reason += "; functions of elements are kept for a row";
  return out;
}

}  // namespace burin
