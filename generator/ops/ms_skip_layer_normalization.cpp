// com.microsoft SkipLayerNormalization: LayerNormalization over the last dimension of x + skip +
// bias, whose sum is the optional fourth output.
#include "ops/api/layers/normalization.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::ms_skip_layer_normalization_op {
namespace {

constexpr int kSkip = 1, kGamma = 2, kBeta = 3, kBias = 4, kSum = 3;

void lower(OpContext& op) {
  const Operand x = op.input(0);
  normalize_axis(-1, x.rank());
  for (int i = 1; i < op.input_count(); ++i) {
    if (op.has_input(i)) require_broadcastable(op, op.input(i).shape(), x.shape(), "an input");
  }
  const Operand y = op.output(0, x.type(), x.shape());
  const Operand sum = op.has_output(kSum) ? op.output(kSum, x.type(), x.shape())
                                          : op.temporary("sum", x.compute(), x.shape());
  op.map(sum, [&](const Indices& at) {
    const Expr both = x.at(at) + op.input(kSkip).broadcast_at(at);
    return op.has_input(kBias) ? both + op.input(kBias).broadcast_at(at) : both;
  });
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape()), row = {at.back()};
  const Moments moments = moments_of(kernel, row, sum.at(at), x.dim(-1));
  const Expr inverse = inverse_root(moments.variance, op.real("epsilon", 1e-12));
  Expr value = (sum.at(at) - moments.mean) * inverse * op.input(kGamma).broadcast_at(at);
  if (op.has_input(kBeta)) value = value + op.input(kBeta).broadcast_at(at);
  kernel.write(y, at, value);
  Shape rows = x.shape();
  rows.back() = 1;
  Indices to = at;
  to.back() = 0;
  if (op.has_output(1))
    kernel.write(op.output(1, Type::f32, rows), to, in_type(Type::f32, moments.mean));
  if (op.has_output(2))
    kernel.write(op.output(2, Type::f32, rows), to, in_type(Type::f32, inverse));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "SkipLayerNormalization",
                .inputs = {{"input", types},
                           {"skip", types},
                           {"gamma", types},
                           {"beta", types, Arity::optional},
                           {"bias", types, Arity::optional}},
                .outputs = {{"output"},
                            {"mean", types::f32, Arity::optional},
                            {"inv_std_var", types::f32, Arity::optional},
                            {"input_skip_bias_sum", types, Arity::optional}},
                .attributes = {{"epsilon", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ms_skip_layer_normalization_op
