// Cosh: the hyperbolic cosine. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::cosh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::cosh); }

}  // namespace

OpDef definition() { return unary_op("Cosh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin::cosh_op
