// Atanh: the inverse hyperbolic tangent; NaN outside [-1, 1]. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::atanh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::atanh); }

}  // namespace

OpDef definition() { return unary_op("Atanh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin::atanh_op
