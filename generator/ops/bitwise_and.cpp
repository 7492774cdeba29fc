// BitwiseAnd: and of every pair of bits. Since opset 18.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::bit_and); }

}  // namespace

OpDef op_bitwise_and() { return binary_op("BitwiseAnd", types::integers, lower, 18); }

}  // namespace burin
