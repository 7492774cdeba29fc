// Log: the natural logarithm; NaN below zero, -infinity at zero.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::log); }

}  // namespace

OpDef op_log() { return overwriting(unary_op("Log", types::floats, lower, 1, "input", "output")); }

}  // namespace burin
