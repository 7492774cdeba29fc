// HardSwish: y = x * max(0, min(1, x / 6 + 1/2)). Since opset 14.
#include "ops/api/math/elementwise.h"

namespace burin::hard_swish_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) {
    const Expr zero = Expr::constant(x.type(), 0), one = Expr::constant(x.type(), 1);
    return x * max(zero, min(one, x * (1.0 / 6.0) + 0.5));
  });
}

}  // namespace

OpDef definition() { return unary_op("HardSwish", types::floats, lower, 14); }

}  // namespace burin::hard_swish_op
