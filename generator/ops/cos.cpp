// Cos: the cosine of x in radians. Since opset 7.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::cos); }

}  // namespace

OpDef op_cos() { return unary_op("Cos", types::floats, lower, 7, "input", "output"); }

}  // namespace burin
