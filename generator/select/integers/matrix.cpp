#include "select/integers/matrix.h"

#include <algorithm>

#include "isa/all_rows.h"
#include "select/bytes/known_rows.h"
#include "select/integers/plan.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"
#include "support/divide.h"

namespace burin {
namespace {

// Groups of a step, which divide those of the axis.
int groups_of_step(int64_t groups) {
  for (int step = isa::kMatrixGroups; step > 1; --step) {
    if (groups % step == 0) return step;
  }
  return 1;
}

// Between neighbouring groups of the staged plane, in elements; nullopt: that depends on which.
std::optional<Index> apart_in_window(const IntegerPlan& plan) {
  const int axis = plan.k.back();
  const Index& shift = plan.window->shift;
  std::vector<Index> next;
  for (size_t i = 0; i < plan.kernel.axes.size(); ++i)
    next.push_back(Index::axis(static_cast<int>(i), plan.kernel.axes[i].extent));
  std::vector<Index> first = next;
  first[at(axis)] = 0;
  next[at(axis)] = 1;
  const Index apart = shift.substitute_axes(next) - shift.substitute_axes(first);
  if (apart.has_axes()) return std::nullopt;
  // The same everywhere.
  next[at(axis)] = Index::axis(axis, plan.kernel.axes[at(axis)].extent);
  if (!(shift.substitute_axes(next) == shift.substitute_axes(first) + next[at(axis)] * apart))
    return std::nullopt;
  return apart;
}

// Cycles of a step: a row of sums is a start, factors come from memory. Of a block of rows and a
// tile of columns one stays while the other passes by, from the second cache; the one that stays
// does so in the first, where it has room beside that.
int64_t cycles_of_step(const MatrixTile& tile, const IntegerPlan& plan, const RowTiming& timing,
                       const Hardware& hardware) {
  constexpr int64_t kRegisterRows = isa::kMatrixRows, kRowBytes = 64;
  const int64_t sums = int64_t{tile.shape.rows} * tile.shape.columns * kRegisterRows,
                loads = (tile.shape.rows + tile.shape.columns) * kRegisterRows;
  int64_t out = std::max(sums / std::max(1, timing.per_cycle),
                         loads / std::max(1, hardware.vector.loads_per_cycle));
  const std::vector<Cache>& caches = hardware.memory.caches;
  if (caches.size() < 2) return out;
  const bool rows_stay = plan.window.has_value();
  const int64_t stay = rows_stay ? tile.shape.rows : tile.shape.columns,
                pass = rows_stay ? tile.shape.columns : tile.shape.rows,
                steps = at_least_one(plan.groups) / tile.groups, bytes = kRegisterRows * kRowBytes;
  const bool near = steps * stay * bytes < caches[0].size_bytes / 2;
  return std::max(
      out, (near ? pass : pass + stay) * bytes / std::max(1, caches[1].bandwidth_bytes_per_cycle));
}

const RowTiming* timing_of_unit(Type a, Type b, const Hardware& hardware) {
  const std::optional<isa::MatrixRows> any = isa::find_matrix_rows({}, a, b);
  return any ? timing_of(*any->add, hardware) : nullptr;
}

}  // namespace

Dim groups_in_steps(const Dim& groups, const RowChoice& choice, const Hardware& hardware) {
  const int64_t known = groups.as_constant().value_or(0);
  const Type a = choice.row->values[1].type, b = choice.row->values[2].type;
  if (known < 1 || choice.lanes != isa::kMatrixColumns || choice.group != isa::matrix_group(b) ||
      timing_of_unit(a, b, hardware) == nullptr)
    return groups;
  const int64_t steps = divide_up(known, isa::kMatrixGroups);
  return steps < known / groups_of_step(known) ? Dim(steps * divide_up(known, steps)) : groups;
}

Dim pitch_of_groups(const IntegerPlan& plan) {
  if (!plan.window) return int64_t{plan.tile_columns()} * plan.group;
  return *apart_in_window(plan) * plan.group;
}

std::optional<MatrixTile> choose_matrix(const IntegerPlan& plan, const Hardware& hardware,
                                        int64_t cycles, const std::vector<int64_t>* given) {
  const RowTiming* timing = timing_of_unit(plan.a.type, plan.b.type, hardware);
  if (timing == nullptr || plan.dot == nullptr || plan.k.empty() || plan.fours != nullptr ||
      plan.lanes != isa::kMatrixColumns || plan.group != isa::matrix_group(plan.b.type) ||
      plan.dot->values[2].shape.size() != 2 || (given != nullptr && given->size() != 3))
    return std::nullopt;
  const Dim& along = plan.kernel.axes[at(plan.k.back())].extent;
  if (!along.is_constant()) return std::nullopt;
  if (plan.window && (plan.window->columns.step != 1 || !apart_in_window(plan)))
    return std::nullopt;
  // Of a vector of results through memory, and of a thread that gets the unit.
  constexpr int64_t kResultCycles = 8, kOpenCycles = 300;
  const int64_t rows = at_least_one(plan.rows), columns = at_least_one(plan.tiled_columns());
  std::optional<MatrixTile> best;
  for (const isa::MatrixShape& shape : isa::matrix_shapes()) {
    MatrixTile one;
    one.shape = shape;
    one.groups = groups_of_step(along.constant());
    if (given != nullptr &&
        *given != std::vector<int64_t>{one.tile().first, one.tile().second, one.groups})
      continue;
    const std::optional<isa::MatrixRows> found =
        isa::find_matrix_rows(shape, plan.a.type, plan.b.type);
    if (!found) continue;
    one.rows = *found;
    const int64_t tiles = divide_up(columns, shape.columns * isa::kMatrixColumns),
                  blocks = divide_up(rows, one.tile().first),
                  steps = at_least_one(plan.groups) / one.groups,
                  sums = int64_t{shape.rows} * shape.columns * isa::kMatrixRows;
    const int64_t step = cycles_of_step(one, plan, *timing, hardware);
    const int64_t all = blocks * tiles * (steps * step + timing->latency_cycles + sums) +
                        rows * tiles * shape.columns * kResultCycles + kOpenCycles;
    if (all >= cycles && given == nullptr) continue;
    cycles = all;
    best = one;
  }
  return best;
}

}  // namespace burin
