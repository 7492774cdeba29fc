#include "kernel/let_uses.h"

namespace burin {

std::set<int> lets_in(const Expr& expr) {
  std::set<int> out;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let) out.insert(node.id);
  });
  return out;
}

bool reads_no_let_before(const Kernel& kernel, int least, int first) {
  bool holds = true;
  const auto on_expr = [&](const Expr& expr) {
    const std::set<int> lets = lets_in(expr);
    holds = holds && (lets.empty() || *lets.begin() >= least);
  };
  for (size_t i = static_cast<size_t>(first); i < kernel.lets.size(); ++i) {
    for (const Expr& body : kernel.lets[i].body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    on_expr(write.value);
    for (const Index& index : write.at) on_expr(Expr::index(index));
  }
  return holds;
}

}  // namespace burin
