// And: c = a and b, of booleans.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::logical_and, Type::boolean); }

}  // namespace

OpDef op_and() { return binary_op("And", types::boolean, lower, 1); }

}  // namespace burin
