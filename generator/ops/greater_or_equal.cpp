// GreaterOrEqual: c = (a >= b), false where either is NaN. Since opset 12.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::ge, Type::boolean); }

}  // namespace

OpDef op_greater_or_equal() { return binary_op("GreaterOrEqual", types::numeric, lower, 12); }

}  // namespace burin
