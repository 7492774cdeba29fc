// Cosh: the hyperbolic cosine. Since opset 9.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::cosh); }

}  // namespace

OpDef op_cosh() { return unary_op("Cosh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin
