#include "select/integers/share.h"

#include <algorithm>

#include "kernel/index/index_node.h"
#include "select/threads/parallel.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"
#include "support/divide.h"

namespace burin {
namespace {

constexpr int64_t kVectorsOfTile = 3, kRowsOfTile = 8;  // about

// Vectors of results of all bands of a plane, gaps between rows and beyond the last one too.
int64_t vectors_of(const SlidingWindow& window, int64_t band, int lanes) {
  const int64_t rows = at_least_one(window.rows.outputs);
  const int64_t positions =
      (band - 1) * at_hints(window.places()) + at_hints(window.columns.outputs);
  return divide_up(rows, band) * divide_up(positions, kVectorsOfTile * lanes) * kVectorsOfTile;
}

}  // namespace

bool whole_plane_is_faster(const SlidingWindow& banded, const SlidingWindow& whole, int64_t filters,
                           int lanes, int64_t cycles, const Hardware& hardware) {
  if (!banded.banded() || whole.banded() || !banded.band.is_constant()) return false;
  const int64_t threads = std::max(1, hardware.threads_max);
  const int64_t rows = at_least_one(banded.rows.outputs), band = banded.band.constant();
  const int64_t points = rows * at_least_one(whole.columns.outputs);
  const auto products = [&](int64_t vectors) {
    return saturating_mul(cycles, vectors) / std::max<int64_t>(1, divide_up(points, lanes));
  };
  const auto sharing = [&](int64_t parts) {
    return std::max<int64_t>(1, std::min(threads, parts));
  };
  // Each part stages the whole plane, or its bands, an element in a cycle.
  const int64_t bands = divide_up(rows, band);
  const int64_t of_whole =
      products(vectors_of(whole, rows, lanes)) / sharing(divide_up(filters, kRowsOfTile)) +
      at_least_one(whole.staged_elements());
  const int64_t of_bands =
      (products(vectors_of(banded, band, lanes)) + bands * at_least_one(banded.staged_elements())) /
      sharing(bands);
  return of_whole <= of_bands;
}

int64_t most_integer_parts(int64_t cycles, const Hardware& hardware) {
  if (hardware.threads_max <= 1) return 1;
  return std::max<int64_t>(1, std::min(int64_t{hardware.threads_max} * kChunksPerThread,
                                       cycles / least_of_part(hardware)));
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

Dim shared_extent(const IntegerPlan& plan) {
  switch (plan.share) {
    case Share::batch:
      return plan.kernel.axes[at(plan.batch[0])].extent;
    case Share::bands:
      return plan.window->rows.outputs;
    case Share::columns:
      return plan.columns;
    default:
      return plan.rows;
  }
}

IntegerSharing loops_to_share(const IntegerPlan& plan) {
  IntegerSharing out;
  const auto offer = [&](Share how, const Dim& extent, int64_t multiple) {
    out.how.push_back(how);
    out.loops.push_back({shared_axis(plan, how), extent, multiple, true});
  };
  const bool packed_a = plan.a.packed != kNoValue, packed_b = plan.b.packed != kNoValue;
  if (!plan.batch.empty()) offer(Share::batch, plan.kernel.axes[at(plan.batch[0])].extent, 1);
  if (plan.window) {
    // A part stages whole bands, or the plane for its own rows.
    if (plan.window->banded() && plan.window->band.is_constant())
      offer(Share::bands, plan.window->rows.outputs, plan.window->band.constant());
    if (plan.m >= 0 && !plan.window->banded()) offer(Share::rows, plan.rows, plan.tile_rows);
  } else if (!packed_b) {
    if (plan.n >= 0 && packed_a) offer(Share::columns, plan.columns, plan.tile_columns());
    // Who has some of the rows stages the columns anew, which is in the cost of a part.
    if (plan.m >= 0) offer(Share::rows, plan.rows, plan.tile_rows);
  } else {
    if (plan.m >= 0) offer(Share::rows, plan.rows, plan.tile_rows);
    if (plan.n >= 0) offer(Share::columns, plan.columns, plan.tile_columns());
  }
  return out;
}

void share(IntegerPlan& plan, const IntegerSharing& loops,
           const std::optional<LoopParts>& sharing) {
  plan.share = sharing ? loops.how[sharing->loop] : Share::none;
  plan.grain = sharing ? sharing->grain : 1;
  plan.one_by_one = sharing && sharing->one_by_one;
  plan.parts = sharing ? ceildiv(loops.loops[sharing->loop].extent, plan.grain) : Dim(1);
}

}  // namespace burin
