// Indices that loops compute.
#include "backends/opencl/loop_printer.h"

namespace burin::opencl {

void LoopPrinter::for_each_index(const LoopNode& node,
                                 const std::function<void(const Index&)>& on_index) {
  const std::function<void(const Expr&)> on_expr = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& one) {
      if (one.kind == ExprKind::load)
        on_index(address(value(one.id).layout, value(one.id).shape, one.at));
      if (one.kind == ExprKind::let && !schedule_.places[static_cast<size_t>(one.id)].scalar) {
        on_index(let_address(one.id, one.at));
      }
      if (one.kind == ExprKind::index) on_index(one.index);
      for (const Expr::Case& part : one.cases) {
        for (const Condition& condition : part.guard) on_index(condition.index);
      }
    });
  };
  if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
    on_index(loop->begin);
    on_index(loop->end);
  } else if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
    for (const Expr& body : accumulate->body) on_expr(body);
    for (const Condition& condition : accumulate->when) on_index(condition.index);
    if (schedule_.places[static_cast<size_t>(accumulate->let)].combined)
      on_index(let_address(accumulate->let, own_point(accumulate->let)));
  } else if (const auto* begin = std::get_if<BeginLet>(&node.node)) {
    if (schedule_.places[static_cast<size_t>(begin->let)].combined)
      on_index(let_address(begin->let, own_point(begin->let)));
  } else if (const auto* row = std::get_if<LaneLoop>(&node.node)) {
    on_index(row->begin);
    on_index(row->end);
    for (const Expr& body : row->body) on_expr(body);
    for (const Condition& condition : row->when) on_index(condition.index);
  } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
    on_index(let_address(end->let, own_point(end->let)));
  } else if (const auto* define = std::get_if<Define>(&node.node)) {
    on_index(let_address(define->let, own_point(define->let)));
    on_expr(kernel_.lets[static_cast<size_t>(define->let)].body[0]);
  } else if (const auto* fill = std::get_if<Fill>(&node.node)) {
    on_index(fill->at);
    on_expr(fill->value);
  } else if (const auto* store = std::get_if<Store>(&node.node)) {
    const Write& write = kernel_.writes[static_cast<size_t>(store->write)];
    on_index(address(value(write.to).layout, value(write.to).shape, write.at));
    on_expr(store->value);
    for (const Condition& condition : store->when) on_index(condition.index);
  }
}

}  // namespace burin::opencl
