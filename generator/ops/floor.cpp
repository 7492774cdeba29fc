// Floor: the largest integer that is not above x.
#include "ops/api/math/elementwise.h"

namespace burin::floor_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::floor); }

}  // namespace

OpDef definition() { return overwriting(unary_op("Floor", types::floats, lower, 1)); }

}  // namespace burin::floor_op
