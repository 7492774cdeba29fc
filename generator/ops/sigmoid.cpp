// Sigmoid: y = 1 / (1 + exp(-x)). Where exp overflows the quotient is 0, which is the limit.
#include "ops/api/math/elementwise.h"

namespace burin::sigmoid_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) { return 1.0 / (Expr::unary(Unary::exp, -x) + 1.0); });
}

}  // namespace

OpDef definition() { return overwriting(unary_op("Sigmoid", types::floats, lower, 1)); }

}  // namespace burin::sigmoid_op
