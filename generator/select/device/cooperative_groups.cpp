#include "select/device/cooperative_groups.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "select/device/launch_walk.h"

namespace burin {
namespace {

bool is_whole(const ForLoop& loop, const Kernel& kernel) {
  const Axis& axis = kernel.axes[static_cast<size_t>(loop.axis)];
  return axis.kind != AxisKind::sequential && loop.begin.is_constant(0) && loop.end == axis.extent;
}

// The loop right inside, where a cooperative group may share it too.
const ForLoop* inner(const ForLoop& loop, const Kernel& kernel) {
  if (loop.nodes.size() != 1) return nullptr;
  const auto* inside = std::get_if<ForLoop>(&loop.nodes[0].node);
  return inside && is_whole(*inside, kernel) ? inside : nullptr;
}

// Results that the work-items' parts can be combined to in any grouping.
bool combines(const Let& let) {
  if (let.body.size() != 1) return false;
  const Type type = let.accumulator[0];
  const bool number =
      type == Type::f32 || type == Type::f64 || type == Type::i32 || type == Type::i64;
  switch (let.op) {
    case Combiner::none:
      return true;
    case Combiner::sum:
    case Combiner::product:
    case Combiner::min:
    case Combiner::max:
      return number;
    default:
      return false;
  }
}

bool has_sequential_loop(const LoopNodes& nodes, const Kernel& kernel) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const LoopNode& node) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    return loop && (kernel.axes[static_cast<size_t>(loop->axis)].kind == AxisKind::sequential ||
                    has_sequential_loop(loop->nodes, kernel));
  });
}

}  // namespace

std::vector<int> shared_axes(const ForLoop& loop, const Kernel& kernel) {
  std::vector<int> out;
  for (const ForLoop* one = &loop; one; one = inner(*one, kernel)) out.push_back(one->axis);
  return out;
}

const LoopNodes& shared_body(const ForLoop& loop, const Kernel& kernel) {
  const ForLoop* last = &loop;
  while (const ForLoop* inside = inner(*last, kernel)) last = inside;
  return last->nodes;
}

bool may_be_shared(const LoopNodes& nodes, const std::vector<int>& items, const Kernel& kernel) {
  if (has_sequential_loop(nodes, kernel)) return false;
  bool shares = false, may = true;
  for (const LoopNode& node : nodes) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) continue;
    shares = true;
    may = may && is_whole(*loop, kernel);
  }
  // A let of the point is every work-item's own; one of the points inside is for later launches.
  std::vector<int> made, begun;
  for_each_statement(nodes, [&](const LoopNode& node) {
    if (const auto let = let_of(node)) {
      if (!contains(made, *let)) made.push_back(*let);
      may = may && combines(kernel.lets[static_cast<size_t>(*let)]);
    }
    if (std::holds_alternative<LaneLoop>(node.node)) may = false;
  });
  // Where sums begin inside of a loop they are not the point's.
  for (const LoopNode& node : nodes) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) {
      if (const auto* begin = std::get_if<BeginLet>(&node.node)) begun.push_back(begin->let);
      continue;
    }
    for_each_statement(loop->nodes, [&](const LoopNode& inside) {
      if (std::holds_alternative<BeginLet>(inside.node)) may = false;
      if (const auto* sum = std::get_if<Accumulate>(&inside.node))
        may = may && contains(begun, sum->let);
    });
  }
  for_each_statement(nodes, [&](const LoopNode& node) {
    for_each_expr(node, kernel, [&](const Expr& expr) {
      visit(expr, [&](const ExprNode& one) {
        if (one.kind != ExprKind::let || !contains(made, one.id)) return;
        for (const int axis : kernel.lets[static_cast<size_t>(one.id)].over)
          may = may && contains(items, axis);
      });
    });
  });
  // A let of the point that is defined without a loop must be a variable.
  for (const LoopNode& node : nodes) {
    if (const auto* define = std::get_if<Define>(&node.node)) {
      for (const int axis : kernel.lets[static_cast<size_t>(define->let)].over)
        may = may && contains(items, axis);
    }
  }
  return shares && may;
}

}  // namespace burin
