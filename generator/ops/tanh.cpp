// Tanh: the hyperbolic tangent.
#include "ops/api/math/elementwise.h"

namespace burin::tanh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::tanh); }

}  // namespace

OpDef definition() {
  return overwriting(unary_op("Tanh", types::floats, lower, 1, "input", "output"));
}

}  // namespace burin::tanh_op
