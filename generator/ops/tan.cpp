// Tan: the tangent of x in radians. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::tan_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::tan); }

}  // namespace

OpDef definition() { return unary_op("Tan", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::tan_op
