// Sign: -1, 0 or 1 by the sign of x; NaN stays NaN. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::sign_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sign); }

}  // namespace

OpDef definition() { return unary_op("Sign", types::numeric, lower, 9, "input", "output"); }

}  // namespace burin::sign_op
