// Less: c = (a < b). Integers since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::less_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::lt, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("Less", types::numeric, lower, 1); }

}  // namespace burin::less_op
