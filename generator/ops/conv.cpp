// Conv: Y[n, m, o] = B[m] + sum over channels and taps of X[n, c, o*stride + k*dilation - pad] *
// W[m, c, k], in groups; any number of spatial dimensions.
#include "ops/api/core/op_def.h"
#include "ops/api/math/convolution.h"
#include "support/diagnostics.h"

namespace burin::conv_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), w = op.input(1);
  if (x.type() != w.type() || (op.has_input(2) && op.input(2).type() != x.type()))
    refuse("type-mismatch", "X, W and B must have one type");
  if (w.rank() < 3) refuse("shape-mismatch", "W has rank " + std::to_string(w.rank()));
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(2)) bias = bias_reader(op, 2, w.dim(0));
  map_convolution(op, {x}, {w}, x.type(),
                  [&](const Expr& sum, const Indices& at) { return bias ? sum + bias(at) : sum; });
}

}  // namespace

OpDef definition() {
  return {
      .name = "Conv",
      .inputs = {{"X", types::floats}, {"W", types::floats}, {"B", types::floats, Arity::optional}},
      .outputs = {{"Y"}},
      .attributes = convolution_attributes(),
      .lower = lower};
}

}  // namespace burin::conv_op
