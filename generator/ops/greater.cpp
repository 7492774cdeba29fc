// Greater: c = (a > b). Integers since opset 9.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::gt, Type::boolean); }

}  // namespace

OpDef op_greater() { return binary_op("Greater", types::numeric, lower, 1); }

}  // namespace burin
