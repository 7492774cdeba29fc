// Sin: the sine of x in radians. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::sin_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sin); }

}  // namespace

OpDef definition() { return unary_op("Sin", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::sin_op
