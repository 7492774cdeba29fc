// Softplus: y = log(exp(x) + 1), computed as max(x, 0) + log1p(exp(-|x|)), which does not overflow.
#include "ops/api/math/elementwise.h"

namespace burin::softplus_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) {
    const Expr small = Expr::unary(Unary::exp, -Expr::unary(Unary::abs, x));
    return max(x, Expr::constant(x.type(), 0)) + Expr::unary(Unary::log1p, small);
  });
}

}  // namespace

OpDef definition() { return unary_op("Softplus", types::floats, lower, 1); }

}  // namespace burin::softplus_op
