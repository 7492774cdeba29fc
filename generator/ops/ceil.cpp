// Ceil: the smallest integer that is not below x.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::ceil); }

}  // namespace

OpDef op_ceil() { return overwriting(unary_op("Ceil", types::floats, lower, 1)); }

}  // namespace burin
