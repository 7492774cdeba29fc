// Exp: e to the power x.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::exp); }

}  // namespace

OpDef op_exp() { return overwriting(unary_op("Exp", types::floats, lower, 1, "input", "output")); }

}  // namespace burin
