// Xor: c = either a or b, of booleans.
#include "ops/api/math/elementwise.h"

namespace burin::xor_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::logical_xor, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("Xor", types::boolean, lower, 1); }

}  // namespace burin::xor_op
