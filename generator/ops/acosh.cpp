// Acosh: the inverse hyperbolic cosine; NaN below 1. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::acosh_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::acosh); }

}  // namespace

OpDef definition() { return unary_op("Acosh", types::floats, lower, 9, "input", "output"); }

}  // namespace burin::acosh_op
