// Round: the nearest integer, halves to even. Since opset 11.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::round); }

}  // namespace

OpDef op_round() { return unary_op("Round", types::floats, lower, 11); }

}  // namespace burin
