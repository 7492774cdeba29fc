// com.microsoft FastGelu: the tanh form of Gelu of x + bias; the bias is optional.
#include "ops/api/math/fused.h"

namespace burin::ms_fast_gelu_op {
namespace {

void lower(OpContext& op) { map_with_bias(op, 1, gelu_tanh); }

}  // namespace

OpDef definition() {
  return ms_op({.name = "FastGelu",
                .inputs = {{"X", types::floats}, {"bias", types::floats, Arity::optional}},
                .outputs = {{"Y"}},
                .lower = lower});
}

}  // namespace burin::ms_fast_gelu_op
