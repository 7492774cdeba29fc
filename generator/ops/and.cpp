// And: c = a and b, of booleans.
#include "ops/api/math/elementwise.h"

namespace burin::and_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::logical_and, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("And", types::boolean, lower, 1); }

}  // namespace burin::and_op
