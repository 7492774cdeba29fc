// Atan: the inverse tangent, in radians. Since opset 7.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::atan); }

}  // namespace

OpDef op_atan() { return unary_op("Atan", types::floats, lower, 7, "input", "output"); }

}  // namespace burin
