#include "select/tiles/plane_rows.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cost/issue.h"
#include "select/tiles/register_tile.h"

namespace burin {
namespace {

// Multiplications of a tile that are written out, and taps.
constexpr int64_t kMostOfTile = 200;
constexpr int64_t kMostTaps = 64;
constexpr int kMostPlaneRows = 8, kMostPlaneVectors = 4, kLeastPlaneLanes = 4;

// Places along an axis of the plane that its taps read for so many results, each by its phase and
// its position there.
int64_t places_along(const SlidingAxis& axis, int64_t results, const Kernel& kernel) {
  if (axis.tap < 0) return results;
  const int64_t taps = at_hints(kernel.axes[static_cast<size_t>(axis.tap)].extent);
  const int64_t apart = axis.dilation < 0 ? -axis.dilation : axis.dilation;
  std::set<std::pair<int64_t, int64_t>> places;
  for (int64_t tap = 0; tap < taps; ++tap) {
    const int64_t at = tap * apart;
    for (int64_t result = 0; result < results; ++result)
      places.emplace(at % axis.stride, at / axis.stride + result);
  }
  return static_cast<int64_t>(places.size());
}

int64_t taps_of(const std::vector<int>& k, const Kernel& kernel) {
  int64_t taps = 1;
  for (const int axis : k) {
    const std::optional<int64_t> extent =
        kernel.axes[static_cast<size_t>(axis)].extent.as_constant();
    if (!extent || *extent < 1 || *extent > kMostTaps) return kMostTaps + 1;
    taps *= *extent;
    if (taps > kMostTaps) break;
  }
  return taps;
}

struct PlaneCost {
  const SlidingWindow& window;
  const std::vector<int>& k;
  const Kernel& kernel;
  const VectorUnit& unit;
  int64_t taps;
  bool weighted;

  bool fits(const PlaneRows& tile) const {
    // Sums, what is loaded, a weight.
    return tile.rows * tile.vectors + 3 <= registers_of(unit) &&
           taps * tile.rows * tile.vectors <= std::max(kMostOfTile, taps);
  }

  // Of all taps of a tile, in parts of a cycle.
  int64_t of_tile(const PlaneRows& tile) const {
    cost::Started started;
    started.operations = taps * tile.rows * tile.vectors;
    started.vectors = loads_of_plane(tile, window, k, kernel);
    const bool stay = tile.rows * tile.vectors + taps + 2 <= registers_of(unit);
    if (weighted && !stay) started.broadcasts = taps;
    started.chain = taps;
    return cost::issue_of(started, {unit.fma_per_cycle, unit.fma_latency_cycles}, unit)
        .cycles(unit);
  }

  // Of a band of results.
  int64_t of_band(const PlaneRows& tile) const {
    const int64_t rows = at_least_one(window.band), columns = at_least_one(window.columns.outputs);
    const int64_t along = (columns + tile.columns() - 1) / tile.columns();
    // What leaves by an array is stored and loaded again, an element at a time.
    const int64_t leaving = is_narrow(tile, window) ? rows * (columns + 2) * cost::kCycle : 0;
    return leaving + along * (rows / tile.rows * of_tile(tile) +
                              rows % tile.rows * of_tile({1, tile.vectors, tile.lanes}));
  }
};

}  // namespace

int64_t loads_of_plane(const PlaneRows& tile, const SlidingWindow& window,
                       const std::vector<int>& k, const Kernel& kernel) {
  int64_t planes = 1;
  for (const int axis : k) {
    if (axis != window.rows.tap && axis != window.columns.tap)
      planes *= at_hints(kernel.axes[static_cast<size_t>(axis)].extent);
  }
  return planes * places_along(window.rows, tile.rows, kernel) *
         places_along(window.columns, 1, kernel) * tile.vectors;
}

bool fills_bands(const PlaneRows& tile, const SlidingWindow& window) {
  if (tile.rows == 1 || window.rows.output < 0) return true;
  const auto is_multiple = [&](const Dim& rows) { return mod(rows, tile.rows).is_constant(0); };
  return is_multiple(window.rows.outputs) &&
         (!window.banded() || (window.band.is_constant() && is_multiple(window.band) &&
                               mod(window.rows.outputs, window.band).is_constant(0)));
}

bool is_narrow(const PlaneRows& tile, const SlidingWindow& window) {
  return tile.vectors == 1 && window.columns.outputs.is_constant() &&
         window.columns.outputs.constant() < tile.columns();
}

bool has_only_plane_rows(const PlaneRows& tile, const SlidingWindow& window) {
  return is_narrow(tile, window) || proven_le(Index(tile.columns()), window.columns.outputs);
}

std::optional<PlaneRows> choose_plane_rows(const SlidingWindow& window, const std::vector<int>& k,
                                           bool weighted, const Kernel& kernel,
                                           const VectorUnit& unit, const Given& given) {
  if (!given.may("plane rows") || window.columns.step != 1) return std::nullopt;
  const PlaneCost cost{window, k, kernel, unit, taps_of(k, kernel), weighted};
  if (cost.taps > kMostTaps) return std::nullopt;
  const std::vector<int64_t>* const tile_given = given.numbers("tile");
  const std::vector<int64_t>* const rows_given = given.numbers("plane rows");
  const int64_t columns = at_least_one(window.columns.outputs);
  const int64_t most_rows = std::min<int64_t>(kMostPlaneRows, at_least_one(window.band));
  std::optional<PlaneRows> best;
  int64_t least = 0;
  for (int lanes = lanes_of(unit); lanes >= kLeastPlaneLanes; lanes /= 2) {
    for (int vectors = 1; vectors <= kMostPlaneVectors; ++vectors) {
      for (int rows = 1; rows <= most_rows; ++rows) {
        const PlaneRows tile{rows, vectors, lanes};
        const bool may =
            (tile.columns() <= columns || (is_narrow(tile, window) && lanes < 2 * columns)) &&
            cost.fits(tile) && (tile_given == nullptr || (*tile_given)[1] == vectors) &&
            (rows_given == nullptr || ((*rows_given)[0] == rows && (*rows_given)[1] == lanes));
        if (!may) continue;
        const int64_t cycles = cost.of_band(tile);
        if (best && cycles >= least) continue;
        best = tile;
        least = cycles;
      }
    }
  }
  return best;
}

}  // namespace burin
