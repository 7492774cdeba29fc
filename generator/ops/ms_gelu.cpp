// com.microsoft Gelu: x/2 * (1 + erf(x / sqrt(2))).
#include "ops/api/math/elementwise.h"
#include "ops/api/math/fused.h"

namespace burin::ms_gelu_op {
namespace {

void lower(OpContext& op) { map_unary(op, gelu); }

}  // namespace

OpDef definition() { return ms_op(unary_op("Gelu", types::floats, lower)); }

}  // namespace burin::ms_gelu_op
