// What an expression computes, apart from what it computes it of.
#pragma once

#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

// A unary or binary operation, a select or a cast, of other operands.
Expr with_operands(const ExprNode& node, const std::vector<Expr>& operands);

// Whether it takes as long as a function of mathematics does.
inline bool is_function(Unary op) { return op >= Unary::rsqrt && op <= Unary::erf; }

}  // namespace burin
