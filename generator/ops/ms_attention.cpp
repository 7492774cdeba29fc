// com.microsoft Attention: the projections to Q, K and V as one product, then attention per head.
// Earlier keys and values are the input `past`, [2, batch, heads, length, size], all of them the
// output `present`. do_rotary and buffers that past and present share are not supported.
#include "ops/api/layers/projected_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_attention_op {
namespace {

constexpr int kWeights = 1, kBias = 2;

// input * weights + bias: [batch, position, Q and K and V].
Operand projected(OpContext& op) {
  const Operand x = op.input(0), w = op.input(kWeights);
  const Operand all = op.temporary("projected", x.type(), {x.dim(0), x.dim(1), w.dim(1)});
  KernelBuilder kernel;
  const Indices at = kernel.axes(all.shape());
  const Index k = kernel.reduce_axis(x.dim(2), "inner");
  Expr sum = kernel.reduce(Combiner::sum, {k}, x.at({at[0], at[1], k}) * w.at({k, at[2]}));
  if (op.has_input(kBias)) sum = sum + op.input(kBias).broadcast_at({at[2]});
  kernel.write(all, at, sum);
  op.emit(kernel);
  return all;
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2, 4, 5});
  const Operand x = op.input(0), w = op.input(kWeights);
  if (x.rank() != 3 || w.rank() != 2)
    refuse("shape-mismatch", "input and weights must have ranks 3 and 2");
  check_projected(op);
  op.require_equal(w.dim(0), x.dim(2), "rows of weights");
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {w.dim(1)}, "bias");
  lower_projected(op, projected(op), {.mask = 3, .past = 4, .scores = 5});
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "Attention",
                .inputs = {{"input", types},
                           {"weights", types},
                           {"bias", types, Arity::optional},
                           {"mask_index", types::i32, Arity::optional},
                           {"past", types, Arity::optional},
                           {"attention_bias", types, Arity::optional},
                           {"past_sequence_length", types::i32, Arity::optional}},
                .outputs = {{"output"}, {"present", types, Arity::optional}},
                .attributes = {{"num_heads", AttributeKind::integer, true},
                               {"unidirectional", AttributeKind::integer},
                               {"qkv_hidden_sizes", AttributeKind::integers},
                               {"past_present_share_buffer", AttributeKind::integer},
                               {"do_rotary", AttributeKind::integer},
                               {"rotary_embedding_dim", AttributeKind::integer},
                               {"mask_filter_value", AttributeKind::real},
                               {"scale", AttributeKind::real}},
                .lower = lower,
                .note = "no rotation, no shared buffers"});
}

}  // namespace burin::ms_attention_op
