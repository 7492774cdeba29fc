#include "fuse/shared.h"

namespace burin {
namespace {

void pin_expr(const Expr& expr, std::set<ValueId>& values) {
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) values.insert(node.id);
  });
}

void pin_steps(const Steps& steps, const Steps& block, std::set<ValueId>& values) {
  const bool own = &steps == &block;
  for (const Step& step : steps) {
    const auto* branch = std::get_if<std::shared_ptr<If>>(&step);
    const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step);
    if (own && !branch && !loop) continue;
    if (!own && branch) {
      // The block may lie inside: only what is not its own counts.
      pin_expr((*branch)->condition, values);
      pin_steps((*branch)->then_steps, block, values);
      pin_steps((*branch)->else_steps, block, values);
    } else if (!own && loop) {
      pin_expr((*loop)->condition, values);
      pin_steps((*loop)->body, block, values);
    } else {
      for (const ValueId id : reads_of(step)) values.insert(id);
      for (const ValueId id : writes_of(step)) values.insert(id);
    }
  }
}

}  // namespace

Shared shared_values(const KernelGraph& graph, const Steps& block) {
  Shared shared;
  shared.values.insert(graph.outputs.begin(), graph.outputs.end());
  pin_steps(graph.steps, block, shared.values);
  for_each_step(graph.steps, [&](const Step& step) {
    if (std::holds_alternative<std::shared_ptr<If>>(step) ||
        std::holds_alternative<std::shared_ptr<Loop>>(step))
      return;
    for (const ValueId id : writes_of(step)) ++shared.writers[id];
  });
  return shared;
}

}  // namespace burin
