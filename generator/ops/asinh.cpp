// Asinh: the inverse hyperbolic sine. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::asinh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::asinh); }

}  // namespace

OpDef definition() { return unary_op("Asinh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin::asinh_op
