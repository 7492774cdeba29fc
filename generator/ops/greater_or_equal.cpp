// GreaterOrEqual: c = (a >= b), false where either is NaN. Since opset 12.
#include "ops/api/math/elementwise.h"

namespace burin::greater_or_equal_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::ge, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("GreaterOrEqual", types::numeric, lower, 12); }

}  // namespace burin::greater_or_equal_op
