// Sqrt: the square root, correctly rounded; NaN below zero.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sqrt); }

}  // namespace

OpDef op_sqrt() { return overwriting(unary_op("Sqrt", types::floats, lower, 1)); }

}  // namespace burin
