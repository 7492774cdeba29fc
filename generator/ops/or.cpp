// Or: c = a or b, of booleans.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::logical_or, Type::boolean); }

}  // namespace

OpDef op_or() { return binary_op("Or", types::boolean, lower, 1); }

}  // namespace burin
