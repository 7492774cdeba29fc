// Equal: c = (a == b); NaN equals nothing. Floats since opset 7.
#include "ops/api/math/elementwise.h"

namespace burin::equal_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::eq, Type::boolean); }

}  // namespace

OpDef definition() { return binary_op("Equal", types::numeric | types::boolean, lower, 1); }

}  // namespace burin::equal_op
