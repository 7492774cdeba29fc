// Abs: y = |x|; the smallest integer of a type stays itself. Integers since opset 6.
#include "ops/api/math/elementwise.h"

namespace burin::abs_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::abs); }

}  // namespace

OpDef definition() { return overwriting(unary_op("Abs", types::numeric, lower, 1)); }

}  // namespace burin::abs_op
