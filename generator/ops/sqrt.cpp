// Sqrt: the square root, correctly rounded; NaN below zero.
#include "ops/api/math/elementwise.h"

namespace burin::sqrt_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sqrt); }

}  // namespace

OpDef definition() { return overwriting(unary_op("Sqrt", types::floats, lower, 1)); }

}  // namespace burin::sqrt_op
