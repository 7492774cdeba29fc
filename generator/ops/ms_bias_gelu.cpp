// com.microsoft BiasGelu: Gelu of A + B.
#include "ops/api/math/fused.h"

namespace burin::ms_bias_gelu_op {
namespace {

void lower(OpContext& op) { map_with_bias(op, 1, gelu); }

}  // namespace

OpDef definition() {
  return ms_op({.name = "BiasGelu",
                .inputs = {{"A", types::floats}, {"B", types::floats}},
                .outputs = {{"C"}},
                .lower = lower});
}

}  // namespace burin::ms_bias_gelu_op
