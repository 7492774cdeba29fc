// Exp: e to the power x.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::exp); }

}  // namespace

OpDef op_exp() { return unary_op("Exp", types::floats, lower, 1); }

}  // namespace burin
