// Exp: e to the power x.
#include "ops/api/math/elementwise.h"

namespace burin::exp_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::exp); }

}  // namespace

OpDef definition() {
  return overwriting(unary_op("Exp", types::floats, lower, 1, "input", "output"));
}

}  // namespace burin::exp_op
