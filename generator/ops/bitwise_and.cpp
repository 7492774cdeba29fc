// BitwiseAnd: and of every pair of bits. Since opset 18.
#include "ops/api/math/elementwise.h"

namespace burin::bitwise_and_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::bit_and); }

}  // namespace

OpDef definition() { return binary_op("BitwiseAnd", types::integers, lower, 18); }

}  // namespace burin::bitwise_and_op
