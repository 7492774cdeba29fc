// Softsign: y = x / (1 + |x|).
#include "ops/api/math/elementwise.h"

namespace burin::softsign_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) { return x / (Expr::unary(Unary::abs, x) + 1.0); });
}

}  // namespace

OpDef definition() { return unary_op("Softsign", types::floats, lower, 1, "input", "output"); }

}  // namespace burin::softsign_op
