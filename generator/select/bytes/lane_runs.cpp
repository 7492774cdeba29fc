#include "select/bytes/lane_runs.h"

#include <algorithm>

#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostLanes = 65536;

// The longest stretch of lanes whose bytes are neighbours.
LaneRun longest_run(const Index& where, int axis, int64_t lanes) {
  const auto place = [&](int64_t lane) {
    return where.evaluate([&](const Index& leaf) {
      return leaf.kind() == IndexKind::axis && leaf.axis_id() == axis ? lane : int64_t{0};
    });
  };
  LaneRun best, now{0, 1};
  int64_t last = place(0);
  for (int64_t lane = 1; lane <= lanes; ++lane) {
    const int64_t next = lane < lanes ? place(lane) : last;
    if (next != last + 1) {
      if (now.count > best.count) best = now;
      now = {lane, 0};
    }
    ++now.count;
    last = next;
  }
  return best;
}

}  // namespace

bool lies_along_run(const Value& value, const std::vector<Index>& place, int axis,
                    const LaneRun& run) {
  const Index lane = Index::axis(axis, run.count);
  const Index where =
      address(value.layout, value.shape, place).map_leaves([&](const Index& leaf) -> Index {
        return leaf.kind() == IndexKind::axis && leaf.axis_id() == axis ? lane + run.first : leaf;
      });
  return !where.has_data() && !(where - lane).uses_axis(axis);
}

std::vector<LaneRun> lane_runs(const Kernel& kernel, const std::vector<Expr>& loads, int axis,
                               const std::vector<Value>& values) {
  const std::optional<int64_t> lanes = kernel.axes[at(axis)].extent.as_constant();
  if (!lanes || *lanes > kMostLanes) return {};
  const LaneRun all{0, *lanes};
  LaneRun common = all;
  for (const Expr& load : loads) {
    const Value& value = values[at(load->id)];
    if (lies_along_run(value, load->at, axis, all)) continue;
    const Index where = address(value.layout, value.shape, load->at);
    std::vector<Symbol> symbols;
    where.collect_symbols(symbols);
    if (where.has_data() || !symbols.empty()) return {};
    const LaneRun run = longest_run(where, axis, *lanes);
    const int64_t end = std::min(common.first + common.count, run.first + run.count);
    common.first = std::max(common.first, run.first);
    common.count = end - common.first;
    if (common.count < kLeastRun || !lies_along_run(value, load->at, axis, common)) return {};
  }
  if (common == all) return {};
  std::vector<LaneRun> out;
  const int64_t end = common.first + common.count;
  if (common.first > 0) out.push_back({0, common.first});
  out.push_back(common);
  if (end < *lanes) out.push_back({end, *lanes - end});
  return out;
}

}  // namespace burin
