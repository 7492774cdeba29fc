// BitwiseXor: xor of every pair of bits. Since opset 18.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::bit_xor); }

}  // namespace

OpDef op_bitwise_xor() { return binary_op("BitwiseXor", types::integers, lower, 18); }

}  // namespace burin
