// Round: the nearest integer, halves to even. Since opset 11.
#include "ops/api/math/elementwise.h"

namespace burin::round_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::round); }

}  // namespace

OpDef definition() { return unary_op("Round", types::floats, lower, 11); }

}  // namespace burin::round_op
