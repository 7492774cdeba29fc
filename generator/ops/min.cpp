// Min: the smallest of all inputs, broadcast; NaN where one is NaN. Integers since opset 12.
#include "ops/api/math/elementwise.h"

namespace burin::min_op {
namespace {

void lower(OpContext& op) { map_variadic(op, Binary::min); }

}  // namespace

OpDef definition() { return overwriting(variadic_op("Min", types::numeric, lower, "min")); }

}  // namespace burin::min_op
