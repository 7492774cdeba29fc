// Sinh: the hyperbolic sine. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::sinh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::sinh); }

}  // namespace

OpDef definition() { return unary_op("Sinh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin::sinh_op
