// BitwiseNot: every bit of x inverted. Since opset 18.
#include "ops/api/math/elementwise.h"

namespace burin::bitwise_not_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::bit_not); }

}  // namespace

OpDef definition() { return unary_op("BitwiseNot", types::integers, lower, 18); }

}  // namespace burin::bitwise_not_op
