// Sum: the sum of all inputs, broadcast.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_variadic(op, Binary::add); }

}  // namespace

OpDef op_sum() { return variadic_op("Sum", types::floats, lower, 1); }

}  // namespace burin
