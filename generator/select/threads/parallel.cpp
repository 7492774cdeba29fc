#include "select/threads/parallel.h"

#include <algorithm>
#include <numeric>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "select/rows/row_blocks.h"
#include "select/threads/fused_copies.h"
#include "select/threads/parallel_cost.h"
#include "support/divide.h"

namespace burin {
namespace {

struct Candidate {
  int axis = 0;
  int64_t multiple = 1;    // that chunks must be of
  bool with_rows = false;  // that rows of a product may be cut beside it
};

// Outermost first; rows of a product last.
std::vector<Candidate> candidates_of(const LoopPlan& schedule, const Hardware& hardware) {
  std::vector<Candidate> out;
  const auto add = [&](int axis, bool with_rows = false) {
    out.push_back({axis, together_along(schedule, axis), with_rows});
  };
  if (schedule.contraction) {
    const ContractionSchedule& contraction = *schedule.contraction;
    for (const int axis : contraction.batch) add(axis);
    const bool packs_a = contraction.packs_rows();
    // What makes something of whole rows has all columns.
    const bool whole_rows = contraction.row_epilogue || schedule.second;
    const bool with_rows = !packs_a && !whole_rows && contraction.m >= 0 && schedule.loops.empty();
    if (contraction.window) {
      // Bands are staged by the thread that reads them; every thread that has rows of the tile
      // stages the whole.
      const SlidingWindow& window = *contraction.window;
      if (packs_a) return out;
      for (const int axis : window.outer) add(axis, with_rows);
      if (window.banded()) add(window.rows.output, with_rows);
    } else if (contraction.n >= 0 && !(packs_a && whole_rows)) {
      // Who has some of the columns packs the rows anew, which is in the cost of a call.
      add(contraction.n, with_rows);
    }
    if (contraction.m >= 0) add(contraction.m);
    return out;
  }
  if (schedule.attention) {
    // Whoever takes some of the queries packs all keys and values.
    for (const int axis : schedule.attention->batch) add(axis);
    if (out.empty() && schedule.attention->query >= 0 && schedule.attention->tiled)
      add(schedule.attention->query);
    return out;
  }
  // Axes of every item; which of them may be cut is check_cut's to say.
  const int64_t line_elements = std::max(1, hardware.memory.cache_line_bytes / 4);
  const std::vector<int>& axes = schedule.kernel.writes.front().over;
  for (const int axis : axes) {
    add(axis);
    // Neighbours in memory stay with one thread; blocks of rows are some of them.
    const bool in_blocks = schedule.outer_axis && schedule.outer_axis->axis == axis &&
                           schedule.outer_axis->block_axis >= 0;
    if (axis == axes.back() && !in_blocks)
      out.back().multiple = std::lcm(line_elements, out.back().multiple);
  }
  return out;
}

}  // namespace

int64_t together_along(const LoopPlan& schedule, int axis) {
  int64_t out = 1;
  const auto take = [&](int64_t points) { out = std::lcm(out, std::max<int64_t>(1, points)); };
  if (schedule.contraction) {
    const ContractionSchedule& product = *schedule.contraction;
    if (axis == product.m) take(rows_together(schedule));
    if (axis == product.n) take(product.tile.columns());
    if (product.window && product.window->banded() && axis == product.window->rows.output)
      take(at_hints(product.window->band));
  }
  if (schedule.attention && schedule.attention->tiled && axis == schedule.attention->query)
    take(schedule.attention->columns());
  for (const SumTile& tile : schedule.tiles) {
    if (axis == tile.column) take(tile.tile.columns());
    if (axis == tile.row) take(tile.tile.rows);
  }
  if (schedule.outer_axis && schedule.outer_axis->block_axis >= 0 &&
      axis == schedule.outer_axis->axis)
    take(schedule.outer_axis->points);
  return out;
}

int64_t unshared_operations(const Hardware& hardware) {
  constexpr int64_t kAlone = int64_t{1} << 18;
  if (hardware.threads_max <= 1) return kAlone;
  return int64_t{hardware.thread_start_us} * hardware.clock_mhz * hardware.vector.lanes(4);
}

namespace {

// The axis in at most `calls` chunks, which end where they may.
CutAxis in_calls(const LoopPlan& schedule, const Candidate& candidate, int64_t calls) {
  CutAxis out{candidate.axis, schedule.kernel.axes[static_cast<size_t>(candidate.axis)].extent, 1};
  out.grain = round_up((points_of(out) + calls - 1) / calls, candidate.multiple);
  return out;
}

// Every number of calls once.
std::vector<CutAxis> divisions_of(const LoopPlan& schedule, const Candidate& candidate,
                                  int64_t most) {
  std::vector<CutAxis> out;
  for (int64_t calls = 2; calls <= most; ++calls) {
    const CutAxis one = in_calls(schedule, candidate, calls);
    if (calls_of(one) > 1 && (out.empty() || out.back().grain != one.grain)) out.push_back(one);
  }
  return out;
}

bool may_cut(LoopPlan& schedule, const CutAxis& axis, int workers) {
  schedule.cut = Cut{axis, workers};
  const bool may = !proven_le(axis.extent, axis.grain) && check_cut(schedule).empty();
  schedule.cut.reset();
  return may;
}

// The fewest points of a candidate that a chunk may have.
CutAxis least_of(const LoopPlan& schedule, const Candidate& candidate) {
  return {candidate.axis, schedule.kernel.axes[static_cast<size_t>(candidate.axis)].extent,
          candidate.multiple};
}

// The division of least time, of those whose calls have `least` cycles each; empty: none.
std::vector<CutAxis> best_division(const LoopPlan& schedule,
                                   const std::vector<Candidate>& candidates,
                                   const Hardware& hardware, const MakeProgram& make,
                                   int64_t least) {
  const int threads = hardware.threads_max;
  const int64_t most = int64_t{threads} * kChunksPerThread;
  struct Division {
    std::vector<CutAxis> axes;
    int64_t calls = 1, cycles = 0;
  };
  std::vector<Division> found;
  const auto consider = [&](CallCosts& costs, std::vector<CutAxis> axes) {
    Division one{std::move(axes), 1, 0};
    for (const CutAxis& axis : one.axes) one.calls *= calls_of(axis);
    one.cycles = costs.of(one.axes, threads);
    const int64_t rounds = (one.calls + threads - 1) / threads;
    if (one.calls > most || one.cycles / rounds < least) return;
    if (one.cycles / kRepaysPercent < costs.all() / 100) found.push_back(std::move(one));
  };
  const Candidate& rows = candidates.back();
  bool rows_done = false;
  for (const Candidate& candidate : candidates) {
    if (rows_done && &candidate == &rows) break;
    std::vector<CutAxis> fewest{least_of(schedule, candidate)};
    if (candidate.with_rows) fewest.push_back(least_of(schedule, rows));
    CallCosts costs(schedule, fewest, hardware, make);
    if (costs.all() < 2 * least) continue;
    for (const CutAxis& axis : divisions_of(schedule, candidate, most)) {
      consider(costs, {axis});
      if (!candidate.with_rows) continue;
      for (const CutAxis& across : divisions_of(schedule, rows, most))
        consider(costs, {axis, across});
    }
    if (!candidate.with_rows || rows_done) continue;
    for (const CutAxis& across : divisions_of(schedule, rows, most)) consider(costs, {across});
    rows_done = true;
  }
  if (found.empty()) return {};
  int64_t fewest = found.front().cycles;
  for (const Division& one : found) fewest = std::min(fewest, one.cycles);
  const Division* best = nullptr;
  for (const Division& one : found) {
    const bool near = one.cycles / kNearlyPercent <= fewest / 100;
    if (near && (best == nullptr || one.calls > best->calls)) best = &one;
  }
  return best->axes;
}

// The parts that a verb gives, if they are of axes that may be cut and end where they may.
std::vector<CutAxis> given_division(const LoopPlan& schedule,
                                    const std::vector<Candidate>& candidates, const Given& given) {
  const std::vector<int64_t>* const numbers = given.numbers("threads");
  if (numbers == nullptr || numbers->size() % 2 != 0) return {};
  std::vector<CutAxis> out;
  for (size_t i = 0; i < numbers->size(); i += 2) {
    const int64_t axis = (*numbers)[i], grain = (*numbers)[i + 1];
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Candidate& one) { return one.axis == axis; });
    const bool may = found != candidates.end() && grain > 0 && grain % found->multiple == 0 &&
                     (i == 0 || std::next(found) == candidates.end());
    if (!may || (i == 0 && numbers->size() > 2 && !found->with_rows)) return {};
    const Dim& extent = schedule.kernel.axes[static_cast<size_t>(axis)].extent;
    if (proven_le(extent, grain)) return {};
    out.push_back({static_cast<int>(axis), extent, grain});
  }
  return out;
}

// Where only larger sizes than the hinted ones repay: chunks of the first axis that may be cut.
std::vector<CutAxis> division_of_larger(LoopPlan& schedule,
                                        const std::vector<Candidate>& candidates,
                                        const Hardware& hardware, const MakeProgram& make,
                                        int64_t least) {
  const int threads = hardware.threads_max;
  for (const Candidate& candidate : candidates) {
    CutAxis axis = in_calls(schedule, candidate, int64_t{threads} * kChunksPerThread);
    if (axis.extent.is_constant()) continue;  // its division has been looked at
    CallCosts costs(schedule, {least_of(schedule, candidate)}, hardware, make);
    const int64_t each = std::max<int64_t>(1, costs.all() / points_of(axis));
    axis.grain = round_up(std::max(axis.grain, (least + each - 1) / each), candidate.multiple);
    if (may_cut(schedule, axis, threads)) return {axis};
  }
  return {};
}

}  // namespace

std::vector<CutAxis> division_for_threads(LoopPlan& schedule, const Hardware& hardware,
                                          const MakeProgram& make, const Given& given) {
  const int threads = hardware.threads_max;
  if (threads <= 1 || schedule.kernel.writes.empty() || !given.may("threads")) return {};
  const int64_t least = least_of_part(hardware);
  std::vector<Candidate> candidates = candidates_of(schedule, hardware);
  std::erase_if(candidates, [&](const Candidate& one) {
    const Dim& extent = schedule.kernel.axes[static_cast<size_t>(one.axis)].extent;
    return !may_cut(schedule, {one.axis, extent, one.multiple}, threads);
  });
  // Rows that may not be cut are not cut beside others.
  const int rows = schedule.contraction ? schedule.contraction->m : -1;
  if (candidates.empty() || candidates.back().axis != rows) {
    for (Candidate& one : candidates) one.with_rows = false;
  }
  if (candidates.empty()) return {};
  std::vector<CutAxis> axes = given_division(schedule, candidates, given);
  if (axes.empty()) axes = best_division(schedule, candidates, hardware, make, least);
  if (axes.empty()) axes = division_of_larger(schedule, candidates, hardware, make, least);
  return axes;
}

void cut_for_threads(LoopPlan& schedule, const Hardware& hardware, const MakeProgram& make,
                     const Given& given) {
  const std::vector<CutAxis> axes = division_for_threads(schedule, hardware, make, given);
  if (!axes.empty()) schedule = divided(std::move(schedule), axes, hardware.threads_max);
}

Dim scratches_of(const LoopPlan& schedule) {
  if (!schedule.cut) return 1;
  const Cut& cut = *schedule.cut;
  if (schedule.contraction) {
    const ContractionSchedule& product = *schedule.contraction;
    // Rows of a block are packed where those of the block before it were.
    const bool panels_only = !cut.across && !product.window && !product.row_epilogue &&
                             product.block_rows == 0 && cut.axis == product.m &&
                             product.b.prepacked != kNoValue &&
                             cut.grain % rows_together(schedule) == 0;
    const bool of_rows =
        std::all_of(schedule.places.begin(), schedule.places.end(), [&](const LetPlace& place) {
          return place.scalar || place.axes == std::vector<int>{product.m};
        });
    if (panels_only && of_rows) return 1;
  }
  return min(cut.calls(), cut.workers);
}

}  // namespace burin
