// Mish: y = x * tanh(log(1 + exp(x))), the logarithm computed without overflow as in Softplus.
// Since opset 18.
#include "ops/api/math/elementwise.h"

namespace burin::mish_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) {
    const Expr small = Expr::unary(Unary::exp, -Expr::unary(Unary::abs, x));
    const Expr softplus = max(x, Expr::constant(x.type(), 0)) + Expr::unary(Unary::log1p, small);
    return x * Expr::unary(Unary::tanh, softplus);
  });
}

}  // namespace

OpDef definition() { return unary_op("Mish", types::floats, lower, 18); }

}  // namespace burin::mish_op
