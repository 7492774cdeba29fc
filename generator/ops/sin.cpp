// Sin: the sine of x in radians. Since opset 7.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sin); }

}  // namespace

OpDef op_sin() { return unary_op("Sin", types::floats, lower, 7, "input", "output"); }

}  // namespace burin
