// Asin: the inverse sine, in radians; NaN outside [-1, 1]. Since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::asin_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::asin); }

}  // namespace

OpDef definition() { return unary_op("Asin", types::floats, lower, 7, "input", "output"); }

}  // namespace burin::asin_op
