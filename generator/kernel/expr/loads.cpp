#include "kernel/expr/loads.h"

namespace burin {

void add_loads(const Expr& expr, std::set<ValueId>& loads) {
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) loads.insert(node.id);
  });
}

}  // namespace burin
