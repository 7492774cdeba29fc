#include "select/integers/share.h"

#include <algorithm>

#include "select/threads/parallel.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostRestaging = 16;  // a part's products take so many times as long
constexpr int64_t kVectorsOfTile = 3, kRowsOfTile = 8;  // about

int64_t quotient_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Parts that may stage the plane again each, at an element in a cycle.
int64_t most_restaging_parts(const SlidingWindow& window, int64_t cycles) {
  return cycles / (kMostRestaging * at_least_one(window.staged_elements()));
}

// Vectors of results of all bands of a plane, gaps between rows and beyond the last one too.
int64_t vectors_of(const SlidingWindow& window, int64_t band, int lanes) {
  const int64_t rows = at_least_one(window.rows.outputs);
  const int64_t positions =
      (band - 1) * at_hints(window.places()) + at_hints(window.columns.outputs);
  return quotient_up(rows, band) * quotient_up(positions, kVectorsOfTile * lanes) * kVectorsOfTile;
}

}  // namespace

bool whole_plane_is_faster(const SlidingWindow& banded, const SlidingWindow& whole, int64_t filters,
                           int lanes, int64_t cycles, const Hardware& hardware) {
  if (!banded.banded() || whole.banded() || !banded.band.is_constant()) return false;
  const int64_t threads = std::max(1, hardware.threads_max);
  const int64_t rows = at_least_one(banded.rows.outputs), band = banded.band.constant();
  const auto sharing = [&](int64_t parts) {
    return std::max<int64_t>(1, std::min(threads, parts));
  };
  const int64_t of_bands = sharing(quotient_up(rows, band)),
                of_filters = sharing(std::min(most_restaging_parts(whole, cycles),
                                              quotient_up(filters, kRowsOfTile)));
  return vectors_of(whole, rows, lanes) * of_bands <= vectors_of(banded, band, lanes) * of_filters;
}

int64_t most_integer_parts(int64_t cycles, const Hardware& hardware) {
  if (hardware.threads_max <= 1) return 1;
  const int64_t least =
      std::max<int64_t>(1, int64_t{hardware.thread_start_us} * hardware.clock_mhz);
  return std::max<int64_t>(
      1, std::min(int64_t{hardware.threads_max} * kChunksPerThread, cycles / least));
}

int shared_axis(const IntegerPlan& plan, Share share) {
  switch (share) {
    case Share::none:
      return -1;
    case Share::batch:
      return plan.batch[0];
    case Share::bands:
      return plan.window->rows.output;
    case Share::columns:
      return plan.n;
    case Share::rows:
      return plan.m;
  }
  return -1;
}

void share_parts(IntegerPlan& plan, int64_t cycles, const Hardware& hardware, const Given& given) {
  const int64_t most = most_integer_parts(cycles, hardware);
  if (hardware.threads_max < 2 || !given.may("threads")) return;
  const std::vector<int64_t>* const wanted = given.numbers("threads");
  int64_t best = 1;
  bool fixed = false;
  const auto offer = [&](Share how, const Dim& extent, int64_t multiple, int64_t limit) {
    if (fixed) return;
    if (wanted != nullptr && (*wanted)[0] == shared_axis(plan, how) && (*wanted)[1] > 0 &&
        (*wanted)[1] % multiple == 0 && !proven_le(extent, (*wanted)[1])) {
      fixed = true;
      plan.share = how;
      plan.grain = (*wanted)[1];
      plan.parts = ceildiv(extent, plan.grain);
      return;
    }
    if (most < 2) return;
    const int64_t units = quotient_up(at_least_one(extent), multiple);
    const int64_t unit_grain = quotient_up(units, std::max<int64_t>(1, std::min(most, limit)));
    const int64_t parts = quotient_up(units, unit_grain);
    if (parts <= best) return;
    best = parts;
    plan.share = how;
    plan.grain = unit_grain * multiple;
    plan.parts = ceildiv(extent, plan.grain);
  };
  const bool packed_a = plan.a.packed != kNoValue, packed_b = plan.b.packed != kNoValue;
  if (!plan.batch.empty()) offer(Share::batch, plan.kernel.axes[at(plan.batch[0])].extent, 1, most);
  if (plan.window) {
    // A part stages whole bands, or the plane for its own rows.
    if (plan.window->banded() && plan.window->band.is_constant())
      offer(Share::bands, plan.window->rows.outputs, plan.window->band.constant(), most);
    if (plan.m >= 0 && !plan.window->banded())
      offer(Share::rows, plan.rows, plan.tile_rows, most_restaging_parts(*plan.window, cycles));
  } else if (!packed_b) {
    if (plan.n >= 0 && packed_a) offer(Share::columns, plan.columns, plan.tile_columns(), most);
    if (plan.m >= 0 && !packed_a) offer(Share::rows, plan.rows, plan.tile_rows, most);
  } else {
    if (plan.m >= 0) offer(Share::rows, plan.rows, plan.tile_rows, most);
    if (plan.n >= 0) offer(Share::columns, plan.columns, plan.tile_columns(), most);
  }
}

}  // namespace burin
