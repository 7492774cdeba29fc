// com.microsoft Gelu: x/2 * (1 + erf(x / sqrt(2))).
#include "ops/api/elementwise.h"
#include "ops/api/fused.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, gelu); }

}  // namespace

OpDef op_ms_gelu() { return ms_op(unary_op("Gelu", types::floats, lower)); }

}  // namespace burin
