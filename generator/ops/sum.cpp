// Sum: the sum of all inputs, broadcast.
#include "ops/api/math/elementwise.h"

namespace burin::sum_op {
namespace {

void lower(OpContext& op) { map_variadic(op, Binary::add); }

}  // namespace

OpDef definition() { return overwriting(variadic_op("Sum", types::floats, lower, "sum")); }

}  // namespace burin::sum_op
