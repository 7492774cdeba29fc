#include "select/integers/share.h"

#include <algorithm>

#include "select/parallel.h"
#include "select/tile.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostRestaging = 16;  // a part's products take so many times as long

}  // namespace

int64_t most_integer_parts(int64_t cycles, const Hardware& hardware) {
  if (hardware.threads_max <= 1) return 1;
  const int64_t least =
      std::max<int64_t>(1, int64_t{hardware.thread_start_us} * hardware.clock_mhz);
  return std::max<int64_t>(
      1, std::min(int64_t{hardware.threads_max} * kChunksPerThread, cycles / least));
}

void share_parts(IntegerPlan& plan, int64_t cycles, const Hardware& hardware) {
  const int64_t most = most_integer_parts(cycles, hardware);
  if (most < 2) return;
  // Whether staging the plane again for each part is little beside the part's products, at an
  // element in a cycle.
  const auto may_stage_again = [&] {
    const int64_t staged = at_least_one(plan.window->staged_elements());
    return staged * kMostRestaging * most <= cycles;
  };
  int64_t best = 1;
  const auto offer = [&](Share how, const Dim& extent, int64_t multiple) {
    const int64_t units = (at_least_one(extent) + multiple - 1) / multiple;
    const int64_t unit_grain = (units + most - 1) / most;
    const int64_t parts = (units + unit_grain - 1) / unit_grain;
    if (parts <= best) return;
    best = parts;
    plan.share = how;
    plan.grain = unit_grain * multiple;
    plan.parts = ceildiv(extent, plan.grain);
  };
  const bool packed_a = plan.a.packed != kNoValue, packed_b = plan.b.packed != kNoValue;
  if (!plan.batch.empty()) offer(Share::batch, plan.kernel.axes[at(plan.batch[0])].extent, 1);
  if (plan.window) {
    // A part stages whole bands, or the plane for its own rows.
    if (plan.window->banded() && plan.window->band.is_constant())
      offer(Share::bands, plan.window->rows.outputs, plan.window->band.constant());
    if (plan.m >= 0 && !plan.window->banded() && may_stage_again())
      offer(Share::rows, plan.rows, plan.tile_rows);
  } else if (!packed_b) {
    if (plan.n >= 0 && packed_a) offer(Share::columns, plan.columns, plan.tile_columns());
    if (plan.m >= 0 && !packed_a) offer(Share::rows, plan.rows, plan.tile_rows);
  } else {
    if (plan.m >= 0) offer(Share::rows, plan.rows, plan.tile_rows);
    if (plan.n >= 0) offer(Share::columns, plan.columns, plan.tile_columns());
  }
}

}  // namespace burin
