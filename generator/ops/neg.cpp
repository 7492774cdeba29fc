// Neg: y = -x; integers wrap. Integers since opset 6.
#include "ops/api/math/elementwise.h"

namespace burin::neg_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::neg); }

}  // namespace

OpDef definition() {
  return overwriting(unary_op("Neg", types::floats | types::signed_integers, lower, 1));
}

}  // namespace burin::neg_op
