// Mean: the arithmetic mean of all inputs, broadcast.
#include "ops/api/math/elementwise.h"

namespace burin::mean_op {
namespace {

void lower(OpContext& op) {
  const double count = op.input_count();
  map_variadic(op, Binary::add, [count](const Expr& sum) { return sum / count; });
}

}  // namespace

OpDef definition() { return overwriting(variadic_op("Mean", types::floats, lower, "mean")); }

}  // namespace burin::mean_op
