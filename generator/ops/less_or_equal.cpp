// LessOrEqual: c = (a <= b), false where either is NaN. Since opset 12.
#include "ops/api/math/elementwise.h"

namespace burin::less_or_equal_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::le, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("LessOrEqual", types::numeric, lower, 12); }

}  // namespace burin::less_or_equal_op
