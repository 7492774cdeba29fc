// Greater: c = (a > b). Integers since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::greater_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::gt, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("Greater", types::numeric, lower, 1); }

}  // namespace burin::greater_op
