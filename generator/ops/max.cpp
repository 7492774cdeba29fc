// Max: the largest of all inputs, broadcast; NaN where one is NaN. Integers since opset 12.
#include "ops/api/math/elementwise.h"

namespace burin::max_op {
namespace {

void lower(OpContext& op) { map_variadic(op, Binary::max); }

}  // namespace

OpDef definition() { return overwriting(variadic_op("Max", types::numeric, lower, "max")); }

}  // namespace burin::max_op
