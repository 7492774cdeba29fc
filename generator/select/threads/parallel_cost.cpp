#include "select/threads/parallel_cost.h"

#include <algorithm>

#include "cost/cost.h"
#include "kernel/index/index_node.h"
#include "select/threads/fused_copies.h"

namespace burin {
namespace {

// Chunks are whole blocks of rows: a call has those that begin in it.
bool restrict_blocks(LoopPlan& schedule) {
  const std::optional<OuterAxis>& rows = schedule.outer_axis;
  if (!rows || rows->axis != schedule.cut->axis || rows->block_axis < 0) return false;
  auto& blocks = std::get<ForLoop>(schedule.loops.front().node);
  blocks.begin = floordiv(Index::symbol(cut_first()), rows->points);
  blocks.end = ceildiv(Index::symbol(cut_last()), rows->points);
  return true;
}

// Bounds of every loop over the axis: the part of [begin, end) that is in [first, last).
void restrict_loops(LoopNodes& nodes, const Cut& cut) {
  for (LoopNode& node : nodes) {
    ForLoop* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) continue;
    if (loop->axis == cut.axis) {
      const Index first = Index::symbol(cut_first()), last = Index::symbol(cut_last());
      loop->begin = loop->begin.is_constant(0) ? first : max(loop->begin, first);
      loop->end = loop->end == cut.extent ? last : min(loop->end, last);
    }
    restrict_loops(loop->nodes, cut);
  }
}

// value * part / whole.
int64_t share_of(int64_t value, int64_t part, int64_t whole) {
  return value / whole * part + saturating_mul(value % whole, part) / whole;
}

// Between `few` for the fewest points and `many` for all of them.
int64_t between(int64_t few, int64_t many, int64_t points, const CutAxis& axis) {
  const int64_t all = points_of(axis), fewest = std::min(axis.grain, all);
  if (all <= fewest) return many;
  return few + share_of(many - few, std::clamp(points, fewest, all) - fewest, all - fewest);
}

}  // namespace

int64_t least_of_part(const Hardware& hardware) {
  return std::max<int64_t>(1, int64_t{hardware.thread_start_us} * hardware.clock_mhz);
}

int64_t points_of(const CutAxis& axis) { return at_least_one(axis.extent); }

int64_t calls_of(const CutAxis& axis) { return (points_of(axis) + axis.grain - 1) / axis.grain; }

LoopPlan divided(LoopPlan schedule, const std::vector<CutAxis>& axes, int workers) {
  schedule.cut = Cut{axes[0], workers};
  if (axes.size() > 1) schedule.cut->across = axes[1];
  if (!restrict_blocks(schedule)) restrict_loops(schedule.loops, *schedule.cut);
  share_fused_copies(schedule);
  return schedule;
}

cost::Cost cost_of_call(cost::Costs& costs, const std::vector<Range>& parts, int64_t touched,
                        const Hardware& hardware) {
  cost::Question question;
  question.parts = parts;
  question.threads = hardware.threads_max;
  question.from_afar = [](ValueId) { return true; };
  question.bytes_between = touched;
  for (const Cache& cache : hardware.memory.caches) {
    if (cache.shared_by_threads <= 1)
      question.bytes_between = std::max(question.bytes_between, cache.size_bytes + 1);
  }
  return costs.of(question);
}

int64_t touched_by_all(cost::Costs& costs, const std::vector<CutAxis>& axes,
                       const Hardware& hardware) {
  std::vector<Range> all;
  for (const CutAxis& axis : axes) all.push_back({0, points_of(axis)});
  return cost_of_call(costs, all, 0, hardware).touched;
}

CallCosts::CallCosts(const LoopPlan& schedule, std::vector<CutAxis> axes, const Hardware& hardware,
                     const MakeProgram& make)
    : axes_(std::move(axes)),
      hardware_(hardware),
      program_(make(divided(schedule, axes_, hardware.threads_max))),
      costs_(program_, hardware),
      touched_(touched_by_all(costs_, axes_, hardware)),
      corners_(size_t{1} << axes_.size(), 0) {}

int64_t CallCosts::corner(size_t number) {
  int64_t& out = corners_[number];
  if (out != 0) return out;
  std::vector<Range> parts;
  for (size_t k = 0; k < axes_.size(); ++k) {
    const int64_t all = points_of(axes_[k]);
    parts.push_back({0, (number >> k & 1) != 0 ? all : std::min(all, axes_[k].grain)});
  }
  out = std::max<int64_t>(1, cost_of_call(costs_, parts, touched_, hardware_).cycles());
  return out;
}

int64_t CallCosts::of_call(const std::vector<int64_t>& points) {
  const int64_t few = between(corner(0), corner(1), points[0], axes_[0]);
  if (axes_.size() == 1) return few;
  const int64_t many = between(corner(2), corner(3), points[0], axes_[0]);
  return between(few, many, points[1], axes_[1]);
}

int64_t CallCosts::of(const std::vector<CutAxis>& chunks, int threads) {
  std::vector<int64_t> points;
  for (const CutAxis& axis : axes_) points.push_back(points_of(axis));
  int64_t calls = 1;
  for (const CutAxis& chunk : chunks) {
    calls *= calls_of(chunk);
    for (size_t k = 0; k < axes_.size(); ++k) {
      if (axes_[k].axis == chunk.axis) points[k] = chunk.grain;
    }
  }
  return (calls + threads - 1) / threads * of_call(points);
}

}  // namespace burin
