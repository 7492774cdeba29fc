// Reciprocal: y = 1 / x.
#include "ops/api/math/elementwise.h"

namespace burin::reciprocal_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) { return 1.0 / x; });
}

}  // namespace

OpDef definition() { return overwriting(unary_op("Reciprocal", types::floats, lower, 1)); }

}  // namespace burin::reciprocal_op
