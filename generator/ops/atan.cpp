// Atan: the inverse tangent, in radians. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::atan_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::atan); }

}  // namespace

OpDef definition() { return unary_op("Atan", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::atan_op
