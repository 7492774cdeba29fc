// LessOrEqual: c = (a <= b), false where either is NaN. Since opset 12.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::le, Type::boolean); }

}  // namespace

OpDef op_less_or_equal() { return binary_op("LessOrEqual", types::numeric, lower, 12); }

}  // namespace burin
