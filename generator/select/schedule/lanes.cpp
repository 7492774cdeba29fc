#include "select/schedule/lanes.h"

#include <algorithm>

#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "select/axes/inductions.h"

namespace burin {
namespace {

// A sum of n terms one after the other is off by up to n units of its last bit; in blocks, by n /
// kBlock and what a block's lanes add: at most some thousand for a thousand thousand terms.
constexpr int64_t kBlock = 1024;
// Groups of lanes whose extreme key is compared at once. (Rows of 5,000 on an AMD EPYC: 4 to 16
// take the least.)
constexpr int64_t kKeyedGroups = 8;

bool combines_in_any_order(Combiner op) {
  return op == Combiner::sum || op == Combiner::product || op == Combiner::min ||
         op == Combiner::max || is_keyed(op);
}

// Whether the guard says the same of every point along the axis: whether there was a step before,
// for one.
bool holds_for_rows(const Guard& guard, int axis) {
  return std::none_of(guard.begin(), guard.end(), [&](const Condition& condition) {
    return condition.index.uses_axis(axis) || condition.index.has_data();
  });
}

// Lanes that a verb gives a let: a power of two, of a few registers.
std::optional<int> given_lanes(const Given& given, int let, int usual) {
  constexpr int kMostTimes = 4;
  const std::vector<int64_t>* const numbers = given.numbers("lanes", let);
  if (numbers == nullptr) return std::nullopt;
  const int64_t lanes = (*numbers)[1];
  const bool may = lanes >= 2 && lanes <= int64_t{kMostTimes} * usual && (lanes & (lanes - 1)) == 0;
  return may ? std::optional(static_cast<int>(lanes)) : std::nullopt;
}

// Whether the rows of a loop may share their partial results: each of several short rows would
// combine its own. Extreme values are the same in any order; a sum has no more terms than a block.
bool may_share(const LaneLoop& row, const ForLoop& loop, const Kernel& kernel) {
  const Let& let = kernel.lets[static_cast<size_t>(row.let)];
  if (contains(let.over, loop.axis) || row.block > 0 || !row.when.empty()) return false;
  Dim points = (row.end - row.begin) * (loop.end - loop.begin);
  bool apart = !row.begin.uses_axis(loop.axis) && !row.end.uses_axis(loop.axis);
  for (const RowsOfLanes& one : row.around) {
    points *= one.end - one.begin;
    apart = apart && !one.begin.uses_axis(loop.axis) && !one.end.uses_axis(loop.axis);
  }
  if (!apart) return false;
  return let.op == Combiner::min || let.op == Combiner::max ||
         (let.op == Combiner::sum && proven_le(points, kBlock));
}

void convert(LoopNodes& nodes, LoopPlan& schedule, const std::vector<Value>& values,
             const VectorUnit& unit, const Given& given) {
  for (LoopNode& node : nodes) {
    auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    auto* inner = loop->nodes.size() == 1 ? std::get_if<Accumulate>(&loop->nodes[0].node) : nullptr;
    if (inner == nullptr) {
      convert(loop->nodes, schedule, values, unit, given);
      auto* rows = loop->nodes.size() == 1 ? std::get_if<LaneLoop>(&loop->nodes[0].node) : nullptr;
      if (rows == nullptr || !may_share(*rows, *loop, schedule.kernel)) continue;
      LaneLoop shared = std::move(*rows);
      shared.around.insert(shared.around.begin(), {loop->axis, loop->begin, loop->end});
      node.node = std::move(shared);
      continue;
    }
    const bool tiled = std::any_of(schedule.tiles.begin(), schedule.tiles.end(),
                                   [&](const SumTile& tile) { return tile.let == inner->let; });
    if (tiled || !given.may("lanes", inner->let)) continue;
    const Let& let = schedule.kernel.lets[static_cast<size_t>(inner->let)];
    if (contains(let.over, loop->axis)) continue;  // each point has a result of its own
    if (!combines_in_any_order(let.op) || !is_float(let.accumulator[0])) continue;
    // A row that is too short for two groups of them may have two groups of one register's.
    int lanes = reduction_lanes(unit, let.accumulator[0]);
    if (proven_lt(loop->end - loop->begin, 2 * lanes) && lanes >= 8) lanes /= 2;
    lanes = given_lanes(given, inner->let, lanes).value_or(lanes);
    const bool counts = std::any_of(inner->body.begin(), inner->body.end(), [&](const Expr& body) {
      return counts_along(body, loop->axis, values);
    });
    if (!holds_for_rows(inner->when, loop->axis) || counts) continue;
    if (proven_lt(loop->end - loop->begin, 2 * lanes)) continue;
    schedule.reason += "; let" + std::to_string(inner->let) + " in " + std::to_string(lanes) +
                       (is_keyed(let.op) ? " lanes" : " partial results");
    LaneLoop lane_loop{loop->axis, loop->begin, loop->end, lanes, inner->let, inner->body};
    lane_loop.when = inner->when;
    if (is_keyed(let.op)) lane_loop.block = kKeyedGroups * lanes;
    if (let.op == Combiner::sum && !proven_le(loop->end - loop->begin, kBlock)) {
      lane_loop.block = kBlock;
      schedule.reason += " for each " + std::to_string(kBlock) + " points";
    }
    node.node = std::move(lane_loop);
  }
}

}  // namespace

int reduction_lanes(const VectorUnit& unit, Type type) {
  const int lanes = unit.lanes(static_cast<int>(size_bits(type) / 8));
  return lanes == 1 ? 4 : 2 * lanes;
}

void reduce_in_lanes(LoopPlan& schedule, const std::vector<Value>& values, const VectorUnit& unit,
                     const Given& given) {
  convert(schedule.loops, schedule, values, unit, given);
  convert(schedule.row_lets, schedule, values, unit, given);
  convert(schedule.row_epilogue, schedule, values, unit, given);
}

}  // namespace burin
