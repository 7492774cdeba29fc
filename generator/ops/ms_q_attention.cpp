// com.microsoft QAttention: the projections to Q, K and V as one quantised product, exact in i32
// and then real, then attention per head in floats.
#include "ops/api/layers/projected_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin::ms_q_attention_op {
namespace {

constexpr int kWeights = 1, kBias = 2, kInputScale = 3, kWeightScale = 4, kInputZero = 6,
              kWeightZero = 7;

void lower(OpContext& op) {
  require_one_type(op, {2, 3, 4, 8});
  require_one_type(op, {0, 6});
  require_one_type(op, {1, 7});
  const Operand x = op.input(0), w = op.input(kWeights), bias = op.input(kBias);
  if (x.rank() != 3 || w.rank() != 2)
    refuse("shape-mismatch", "input and weight must have ranks 3 and 2");
  check_projected(op);
  op.require_equal(w.dim(0), x.dim(2), "rows of weight");
  require_broadcastable(op, bias.shape(), {w.dim(1)}, "bias");
  op.require_equal(product(op.input(kInputScale).shape()), 1, "elements of input_scale");
  if (op.has_input(kInputZero))
    op.require_equal(product(op.input(kInputZero).shape()), 1, "elements of input_zero_point");
  const Parameter scale = matrix_parameter(op, kWeightScale, w.shape(), false);
  const Parameter zero = matrix_parameter(op, kWeightZero, w.shape(), false);
  const Operand all = op.temporary("projected", bias.type(), {x.dim(0), x.dim(1), w.dim(1)});
  KernelBuilder kernel;
  const Indices at = kernel.axes(all.shape());
  const Index k = kernel.reduce_axis(x.dim(2), "inner");
  const Indices from = {k, at[2]};
  const Expr left = centred(x.at({at[0], at[1], k}),
                            op.has_input(kInputZero) ? op.input(kInputZero).scalar() : Expr());
  const Expr right = centred(w.at(from), zero ? zero(from) : Expr());
  const Expr sum = kernel.reduce(Combiner::sum, {k}, left * right);
  const Type real = all.compute();
  const Expr by =
      in_type(real, op.input(kInputScale).scalar()) * in_type(real, scale({Index(0), at[2]}));
  kernel.write(all, at, Expr::cast(real, sum) * by + bias.broadcast_at({at[2]}));
  op.emit(kernel);
  lower_projected(op, all, {.mask = 5, .past = 8});
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16);
  return ms_op({.name = "QAttention",
                .inputs = {{"input", types::quantized8},
                           {"weight", types::quantized8},
                           {"bias", real},
                           {"input_scale", real},
                           {"weight_scale", real},
                           {"mask_index", types::i32, Arity::optional},
                           {"input_zero_point", types::quantized8, Arity::optional},
                           {"weight_zero_point", types::quantized8, Arity::optional},
                           {"past", real, Arity::optional}},
                .outputs = {{"output"}, {"present", real, Arity::optional}},
                .attributes = {{"num_heads", AttributeKind::integer, true},
                               {"unidirectional", AttributeKind::integer},
                               {"past_present_share_buffer", AttributeKind::integer},
                               {"do_rotary", AttributeKind::integer},
                               {"mask_filter_value", AttributeKind::real},
                               {"scale", AttributeKind::real}},
                .lower = lower,
                .note = "no rotation, no shared buffers"});
}

}  // namespace burin::ms_q_attention_op
