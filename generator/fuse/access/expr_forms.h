// What rewrites ask expressions that they look for a form in.
#pragma once

#include "kernel/expr/expr.h"

namespace burin {

inline bool is_float_or_double(Type type) { return type == Type::f32 || type == Type::f64; }

inline bool is_unary(const Expr& expr, Unary op) {
  return expr.kind() == ExprKind::unary && expr->unary() == op;
}
inline bool is_binary(const Expr& expr, Binary op) {
  return expr.kind() == ExprKind::binary && expr->binary() == op;
}

}  // namespace burin
