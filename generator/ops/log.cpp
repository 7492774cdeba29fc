// Log: the natural logarithm; NaN below zero, -infinity at zero.
#include "ops/api/math/elementwise.h"

namespace burin::log_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::log); }

}  // namespace

OpDef definition() {
  return overwriting(unary_op("Log", types::floats, lower, 1, "input", "output"));
}

}  // namespace burin::log_op
