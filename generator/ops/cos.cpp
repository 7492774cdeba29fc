// Cos: the cosine of x in radians. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::cos_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::cos); }

}  // namespace

OpDef definition() { return unary_op("Cos", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::cos_op
