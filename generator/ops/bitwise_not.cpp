// BitwiseNot: every bit of x inverted. Since opset 18.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::bit_not); }

}  // namespace

OpDef op_bitwise_not() { return unary_op("BitwiseNot", types::integers, lower, 18); }

}  // namespace burin
