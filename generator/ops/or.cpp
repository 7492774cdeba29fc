// Or: c = a or b, of booleans.
#include "ops/api/math/elementwise.h"

namespace burin::or_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::logical_or, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("Or", types::boolean, lower, 1); }

}  // namespace burin::or_op
