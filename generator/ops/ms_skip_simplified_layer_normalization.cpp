// com.microsoft SkipSimplifiedLayerNormalization: x + skip + bias divided by its root mean square
// over the last dimension, then scaled; the sum is the optional fourth output.
#include "ops/api/layers/normalization.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_skip_simplified_layer_normalization_op {
namespace {

constexpr int kSkip = 1, kGamma = 2, kBias = 3, kInverse = 2, kSum = 3;

void lower(OpContext& op) {
  const Operand x = op.input(0);
  normalize_axis(-1, x.rank());
  if (op.has_output(1)) refuse("unsupported-feature", "the mean is an output of training only");
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
  const Expr element = sum.at(at);
  const Expr inverse =
      inverse_root(mean_of(kernel, row, element * element, x.dim(-1)), op.real("epsilon", 1e-12));
  kernel.write(y, at, element * inverse * op.input(kGamma).broadcast_at(at));
  if (op.has_output(kInverse)) {
    Shape rows = x.shape();
    rows.back() = 1;
    Indices to = at;
    to.back() = 0;
    kernel.write(op.output(kInverse, Type::f32, rows), to, inverse);
  }
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "SkipSimplifiedLayerNormalization",
                .inputs = {{"input", types},
                           {"skip", types},
                           {"gamma", types},
                           {"bias", types, Arity::optional}},
                .outputs = {{"output"},
                            {"mean", types::f32, Arity::optional},
                            {"inv_std_var", types::f32, Arity::optional},
                            {"input_skip_bias_sum", types, Arity::optional}},
                .attributes = {{"epsilon", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ms_skip_simplified_layer_normalization_op
