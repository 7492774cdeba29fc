// Sum: the sum of all inputs, broadcast.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_variadic(op, Binary::add); }

}  // namespace

OpDef op_sum() { return overwriting(variadic_op("Sum", types::floats, lower, "sum")); }

}  // namespace burin
