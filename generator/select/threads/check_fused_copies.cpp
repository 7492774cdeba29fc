#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "select/threads/fused_copies.h"

namespace burin {
namespace {

constexpr int64_t kMostCalls = 64;  // that are tried

bool runs_over(const LoopNode& node, int axis) {
  const auto* loop = std::get_if<ForLoop>(&node.node);
  return loop && (loop->axis == axis ||
                  std::any_of(loop->nodes.begin(), loop->nodes.end(),
                              [&](const LoopNode& inner) { return runs_over(inner, axis); }));
}

bool stores(const LoopNode& node, int write) {
  if (const auto* store = std::get_if<Store>(&node.node)) return store->write == write;
  const auto* loop = std::get_if<ForLoop>(&node.node);
  return loop && std::any_of(loop->nodes.begin(), loop->nodes.end(),
                             [&](const LoopNode& inner) { return stores(inner, write); });
}

// The outermost loops that store a write.
std::vector<const LoopNode*> nodes_of(const LoopPlan& schedule, int write) {
  std::vector<const LoopNode*> out;
  for (const LoopNode& node : schedule.loops) {
    if (stores(node, write)) out.push_back(&node);
  }
  return out;
}

// A bound of a loop in the call for [first, last), at the hinted sizes.
int64_t at_call(const Index& bound, int64_t first, int64_t last) {
  return bound.evaluate([&](const Index& leaf) {
    if (leaf.as_symbol() == cut_first()) return first;
    return leaf.as_symbol() == cut_last() ? last : at_hints(leaf);
  });
}

}  // namespace

std::string check_fused_copies(const LoopPlan& schedule) {
  const Cut& cut = *schedule.cut;
  const Kernel& kernel = schedule.kernel;
  for (size_t i = 0; i < kernel.writes.size(); ++i) {
    const Write& write = kernel.writes[i];
    if (contains(write.over, cut.axis)) continue;
    if (!is_fused_copy(kernel, write)) return "a write does not run over the axis that is cut";
    if (!proven_lt(0, cut.extent)) return "no call may come by for a fused copy";
    const std::vector<const LoopNode*> nodes = nodes_of(schedule, static_cast<int>(i));
    if (nodes.empty()) return "a fused copy is not stored";
    for (const LoopNode* node : nodes) {
      const auto* loop = std::get_if<ForLoop>(&node->node);
      if (!loop || !contains(write.over, loop->axis))
        return "a fused copy is in no loop that threads could share";
      if (runs_over(*node, cut.axis)) return "a fused copy is in the loop that is cut";
    }
  }
  return {};
}

std::string check_shares(const LoopPlan& schedule) {
  if (!schedule.cut) return {};
  const Cut& cut = *schedule.cut;
  const int64_t extent = at_hints(cut.extent);
  const int64_t grain = std::max(cut.grain, (extent + kMostCalls - 1) / kMostCalls);
  for (size_t i = 0; i < schedule.kernel.writes.size(); ++i) {
    if (contains(schedule.kernel.writes[i].over, cut.axis)) continue;
    std::vector<std::pair<int64_t, int64_t>> made;
    int64_t points = 0;
    for (const LoopNode* node : nodes_of(schedule, static_cast<int>(i))) {
      const auto& loop = std::get<ForLoop>(node->node);
      points = at_hints(schedule.kernel.axes[static_cast<size_t>(loop.axis)].extent);
      for (int64_t first = 0; first < extent; first += grain) {
        const int64_t last = std::min(extent, first + grain);
        const int64_t begin = at_call(loop.begin, first, last),
                      end = at_call(loop.end, first, last);
        if (begin < end) made.emplace_back(begin, end);
      }
    }
    std::sort(made.begin(), made.end());
    int64_t end = 0;
    for (const auto& [first, last] : made) {
      if (first != end) return "calls make other points of a fused copy than their share";
      end = last;
    }
    if (end != points) return "calls make other points of a fused copy than their share";
  }
  return {};
}

}  // namespace burin
