// Floor: the largest integer that is not above x.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::floor); }

}  // namespace

OpDef op_floor() { return overwriting(unary_op("Floor", types::floats, lower, 1)); }

}  // namespace burin
