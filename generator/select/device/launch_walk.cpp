#include "select/device/launch_walk.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"

namespace burin {
namespace {

constexpr double kMostLaunchWork = 1e15;

}  // namespace

std::vector<const Launch*> launches_of(const LaunchNodes& nodes) {
  std::vector<const Launch*> out;
  for (const LaunchNode& node : nodes) {
    if (const auto* launch = std::get_if<Launch>(&node.node)) {
      out.push_back(launch);
      continue;
    }
    const std::vector<const Launch*> inner = launches_of(std::get<LaunchLoop>(node.node).nodes);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

void for_each_statement(const LoopNodes& nodes, const std::function<void(const LoopNode&)>& visit) {
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      for_each_statement(loop->nodes, visit);
    } else {
      visit(node);
    }
  }
}

void for_each_expr(const LoopNode& node, const Kernel& kernel,
                   const std::function<void(const Expr&)>& visit) {
  const auto on_guard = [&](const Guard& guard) {
    for (const Condition& condition : guard) visit(Expr::index(condition.index));
  };
  if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
    for (const Expr& body : accumulate->body) visit(body);
    on_guard(accumulate->when);
  } else if (const auto* row = std::get_if<LaneLoop>(&node.node)) {
    for (const Expr& body : row->body) visit(body);
    on_guard(row->when);
  } else if (const auto* define = std::get_if<Define>(&node.node)) {
    visit(kernel.lets[static_cast<size_t>(define->let)].body[0]);
  } else if (const auto* store = std::get_if<Store>(&node.node)) {
    visit(store->value);
    on_guard(store->when);
    for (const Index& index : kernel.writes[static_cast<size_t>(store->write)].at)
      visit(Expr::index(index));
  }
}

ItemWork work_at_hints(const LoopNodes& nodes, const Kernel& kernel) {
  ItemWork sum;
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      const Dim& extent = kernel.axes[static_cast<size_t>(loop->axis)].extent;
      const auto points = static_cast<double>(std::max<int64_t>(1, at_hints(extent)));
      const ItemWork inside = work_at_hints(loop->nodes, kernel);
      sum.operations += points * inside.operations;
      sum.loads += points * inside.loads;
      continue;
    }
    for_each_expr(node, kernel, [&](const Expr& expr) {
      sum.operations += 1;
      visit(expr, [&](const ExprNode& one) {
        sum.operations += one.kind != ExprKind::constant && one.kind != ExprKind::let;
        sum.loads += one.kind == ExprKind::load;
      });
    });
  }
  return {std::min(sum.operations, kMostLaunchWork), std::min(sum.loads, kMostLaunchWork)};
}

std::optional<int> let_of(const LoopNode& node) {
  if (const auto* begin = std::get_if<BeginLet>(&node.node)) return begin->let;
  if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) return accumulate->let;
  if (const auto* row = std::get_if<LaneLoop>(&node.node)) return row->let;
  if (const auto* end = std::get_if<EndLet>(&node.node)) return end->let;
  if (const auto* define = std::get_if<Define>(&node.node)) return define->let;
  return std::nullopt;
}

std::vector<LoopNodes> statements_of(const LoopNodes& nodes) {
  std::vector<LoopNodes> out;
  bool open = false;
  for (const LoopNode& node : nodes) {
    if (!open) out.emplace_back();
    out.back().push_back(node);
    if (std::holds_alternative<BeginLet>(node.node)) open = true;
    if (std::holds_alternative<EndLet>(node.node)) open = false;
  }
  return out;
}

bool reads_own_results(const Kernel& kernel) {
  bool reads = false;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    for (const Write& write : kernel.writes) reads = reads || write.to == node.id;
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) visit(index, on_node);
    for (const Condition& condition : write.when) visit(condition.index, on_node);
    visit(write.value, on_node);
  }
  return reads;
}

std::vector<int> axes_around(const LoopNodes& nodes, const Kernel& kernel) {
  std::vector<int> out;
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    const int axis = static_cast<int>(a);
    if (kernel.axes[a].kind != AxisKind::parallel) continue;
    bool may = true;
    for_each_statement(nodes, [&](const LoopNode& node) {
      if (const auto let = let_of(node))
        may = may && contains(kernel.lets[static_cast<size_t>(*let)].over, axis);
      if (const auto* store = std::get_if<Store>(&node.node))
        may = may && contains(kernel.writes[static_cast<size_t>(store->write)].over, axis);
      for_each_expr(node, kernel, [&](const Expr& expr) {
        visit(expr, [&](const ExprNode& one) {
          if (one.kind != ExprKind::let) return;
          const std::vector<int>& over = kernel.lets[static_cast<size_t>(one.id)].over;
          for (size_t k = 0; k < over.size(); ++k) {
            if (over[k] != axis) continue;
            may = may && one.at[k].kind() == IndexKind::axis && one.at[k].axis_id() == axis;
          }
        });
      });
    });
    if (may) out.push_back(axis);
  }
  return out;
}

LoopNodes without_loops(const LoopNodes& nodes, const std::vector<int>& axes) {
  LoopNodes out;
  for (const LoopNode& node : nodes) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (!loop) {
      out.push_back(node);
      continue;
    }
    LoopNodes inside = without_loops(loop->nodes, axes);
    if (contains(axes, loop->axis)) {
      out.insert(out.end(), std::make_move_iterator(inside.begin()),
                 std::make_move_iterator(inside.end()));
    } else {
      out.push_back(LoopNode{ForLoop{loop->axis, loop->begin, loop->end, std::move(inside)}});
    }
  }
  return out;
}

std::string reason_of_launch(const KernelSchedule& schedule, size_t number) {
  const std::vector<const Launch*> all = launches_of(schedule.launches);
  if (all.size() < 2) return schedule.reason;
  const bool tiles = std::any_of(all.begin(), all.end(),
                                 [](const Launch* one) { return one->product.has_value(); });
  return "launch " + std::to_string(number + 1) + " of " + std::to_string(all.size()) +
         (tiles ? "; " + schedule.reason : "");
}

}  // namespace burin
