// Abs: y = |x|; the smallest integer of a type stays itself. Integers since opset 6.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::abs); }

}  // namespace

OpDef op_abs() { return overwriting(unary_op("Abs", types::numeric, lower, 1)); }

}  // namespace burin
