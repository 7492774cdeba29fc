// Ceil: the smallest integer that is not below x.
#include "ops/api/math/elementwise.h"

namespace burin::ceil_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::ceil); }

}  // namespace

OpDef definition() { return overwriting(unary_op("Ceil", types::floats, lower, 1)); }

}  // namespace burin::ceil_op
