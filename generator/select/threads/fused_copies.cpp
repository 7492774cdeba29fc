#include "select/threads/fused_copies.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/further_writes.h"
#include "kernel/split_axes.h"

namespace burin {
namespace {

void renumber_stores(LoopNodes& nodes, int by) {
  for (LoopNode& node : nodes) {
    if (auto* loop = std::get_if<ForLoop>(&node.node)) renumber_stores(loop->nodes, by);
    if (auto* store = std::get_if<Store>(&node.node)) store->write += by;
  }
}

bool uses_lets(const Write& write) {
  bool found = false;
  const auto on_node = [&](const ExprNode& node) { found = found || node.kind == ExprKind::let; };
  visit(write.value, on_node);
  for (const Index& index : write.at) visit(index, on_node);
  return found;
}

bool only_copies(const Expr& value) {
  return value.kind() == ExprKind::load || value.kind() == ExprKind::constant;
}

}  // namespace

bool is_fused_copy(const Kernel& kernel, const Write& write) {
  if (kernel.lets.empty() && only_copies(kernel.writes[0].value)) return false;  // all are copies
  if (!only_copies(write.value) || uses_lets(write) || write.how != How::store ||
      !write.when.empty() || write.over.empty())
    return false;
  const auto own = [&](const std::vector<int>& axes) {
    return std::none_of(axes.begin(), axes.end(),
                        [&](int axis) { return contains(write.over, axis); });
  };
  return std::all_of(kernel.lets.begin(), kernel.lets.end(),
                     [&](const Let& let) { return own(let.over) && own(let.reduced); }) &&
         own(kernel.writes[0].over);
}

std::optional<SplitCopies> split_fused_copies(const Kernel& kernel) {
  size_t first = kernel.writes.size();
  while (first > 1 && is_fused_copy(kernel, kernel.writes[first - 1])) --first;
  // No axis is shared with a write in front of them.
  std::set<int> taken;
  const auto take = [&](const std::vector<int>& axes) { taken.insert(axes.begin(), axes.end()); };
  for (const Let& let : kernel.lets) {
    take(let.over);
    take(let.reduced);
  }
  for (size_t i = 0; i < first; ++i) take(kernel.writes[i].over);
  for (size_t i = first; i < kernel.writes.size(); ++i) {
    for (const int axis : kernel.writes[i].over) {
      if (taken.contains(axis)) return std::nullopt;
    }
  }
  if (first == kernel.writes.size()) return std::nullopt;
  const auto split = kernel.writes.begin() + static_cast<std::ptrdiff_t>(first);
  SplitCopies out{kernel, only_writes(kernel, {split, kernel.writes.end()})};
  out.host.writes.resize(first);
  // The axes of fused copies come after all others, where fuse has put them.
  while (!out.host.axes.empty() && !taken.contains(static_cast<int>(out.host.axes.size()) - 1))
    out.host.axes.pop_back();
  return out;
}

LoopPlan with_fused_copies(LoopPlan out, const Kernel& copies) {
  const auto before = static_cast<int>(out.kernel.writes.size());
  append_writes(out.kernel, split_axes(copies));
  Kernel alone = out.kernel;
  alone.lets.clear();
  alone.writes.erase(alone.writes.begin(), alone.writes.begin() + before);
  for (Axis& axis : alone.axes) axis.kind = AxisKind::parallel;
  LoopNodes behind = schedule_loops(alone).loops;
  renumber_stores(behind, before);
  out.loops.insert(out.loops.end(), std::make_move_iterator(behind.begin()),
                   std::make_move_iterator(behind.end()));
  out.reason += "; a copy is fused";
  return out;
}

namespace {

bool has_loop_over(const LoopNodes& nodes, int axis) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const LoopNode& node) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    return loop && (loop->axis == axis || has_loop_over(loop->nodes, axis));
  });
}

bool stores(const LoopNodes& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const LoopNode& node) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    return std::holds_alternative<Store>(node.node) || (loop && stores(loop->nodes));
  });
}

}  // namespace

void share_fused_copies(LoopPlan& schedule) {
  const Cut& cut = *schedule.cut;
  for (LoopNode& node : schedule.loops) {
    auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop || loop->axis == cut.axis || has_loop_over(loop->nodes, cut.axis)) continue;
    if (!stores(loop->nodes)) continue;  // lets, which every call makes
    const Dim& points = schedule.kernel.axes[static_cast<size_t>(loop->axis)].extent;
    const auto part = [&](const Symbol& bound) {
      return floordiv(Index::symbol(bound) * points, cut.extent);
    };
    loop->begin = max(loop->begin, part(cut_first()));
    loop->end = min(loop->end, part(cut_last()));
  }
}

}  // namespace burin
