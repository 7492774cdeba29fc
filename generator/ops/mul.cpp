// Mul: c = a * b; integers wrap.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::mul); }

}  // namespace

OpDef op_mul() { return overwriting(binary_op("Mul", types::numeric, lower, 1)); }

}  // namespace burin
