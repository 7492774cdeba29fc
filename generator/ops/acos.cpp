// Acos: the inverse cosine, in radians; NaN outside [-1, 1]. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::acos_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::acos); }

}  // namespace

OpDef definition() { return unary_op("Acos", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::acos_op
