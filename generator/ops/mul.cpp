// Mul: c = a * b; integers wrap.
#include "ops/api/math/elementwise.h"

namespace burin::mul_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::mul); }

}  // namespace

OpDef definition() { return overwriting(binary_op("Mul", types::numeric, lower, 1)); }

}  // namespace burin::mul_op
