#include "kernel/expr/expr_operands.h"

#include "support/check.h"

namespace burin {

Expr with_operands(const ExprNode& node, const std::vector<Expr>& operands) {
  switch (node.kind) {
    case ExprKind::unary:
      return Expr::unary(node.unary(), operands[0]);
    case ExprKind::binary:
      return Expr::binary(node.binary(), operands[0], operands[1]);
    case ExprKind::select:
      return Expr::select(operands[0], operands[1], operands[2]);
    case ExprKind::fused:
      return Expr::fused(operands[0], operands[1], operands[2]);
    case ExprKind::cast:
      return Expr::cast(node.storage, operands[0], node.mode);
    default:
      BURIN_CHECK(false, "an expression that is no operation");
      return {};
  }
}

}  // namespace burin
