// Tanh: the hyperbolic tangent.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::tanh); }

}  // namespace

OpDef op_tanh() { return unary_op("Tanh", types::floats, lower, 1); }

}  // namespace burin
