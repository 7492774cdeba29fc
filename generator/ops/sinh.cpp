// Sinh: the hyperbolic sine. Since opset 9.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sinh); }

}  // namespace

OpDef op_sinh() { return unary_op("Sinh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin
