// com.microsoft GatedRelativePositionBias: positions' biases per head, times a gate that the query
// makes: with g = (query + query_bias) * weight + bias, whose two halves are summed to u and r,
//     (sigmoid(u) * (sigmoid(r) * eco_a - 1) + 2) * rel_pos
// Packed batches (token_offset) are not supported.
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/activation.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_gated_relative_position_bias_op {
namespace {

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2, 3, 4, 5});
  if (op.has_input(6)) refuse("unsupported-feature", "packed batches are not supported");
  const Operand x = op.input(0), shift = op.input(1), positions = op.input(2), w = op.input(3),
                bias = op.input(4), eco = op.input(5);
  const int64_t heads = head_count(op, "num_heads");
  if (x.rank() != 3 || positions.rank() != 4 || w.rank() != 2)
    refuse("shape-mismatch", "query_layer, rel_pos and weight must have ranks 3, 4 and 2");
  const Heads q = heads_in_columns(op, x, heads);
  require_broadcastable(op, shift.shape(), {x.dim(2)}, "query_bias");
  require_broadcastable(op, bias.shape(), {w.dim(1)}, "bias");
  op.require_equal(product(eco.shape()), heads, "elements of eco_a");
  op.require_equal(w.dim(0), q.size, "rows of weight");
  const Dim half = floordiv(w.dim(1), 2);
  op.require_equal(half * 2, w.dim(1), "halves of weight");
  const Shape shape = {q.batch, heads, q.length, q.length};
  require_broadcastable(op, positions.shape(), shape, "rel_pos");
  // The sums of both halves: [batch, head, position, 2].
  const Operand sums = op.temporary("gates", x.type(), {q.batch, heads, q.length, 2});
  KernelBuilder kernel;
  const Indices at = kernel.axes(sums.shape());
  const Index k = kernel.reduce_axis(q.size, "inner"), j = kernel.reduce_axis(half, "column");
  const Index column = at[3] * half + j;
  const Expr query = q.at(at[0], at[1], at[2], k) + shift.broadcast_at({at[1] * q.size + k});
  const Expr gate =
      kernel.reduce(Combiner::sum, {k}, query * w.at({k, column})) + bias.broadcast_at({column});
  kernel.write(sums, at, kernel.reduce(Combiner::sum, {j}, gate));
  op.emit(kernel);
  op.map(op.output(0, x.type(), shape), [&](const Indices& to) {
    const auto part = [&](int64_t which) { return sigmoid(sums.at({to[0], to[1], to[2], which})); };
    const Expr by = eco.at(delinearize(to[1], eco.shape()));
    return (part(0) * (part(1) * by - 1.0) + 2.0) * positions.broadcast_at(to);
  });
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16);
  return ms_op({.name = "GatedRelativePositionBias",
                .inputs = {{"query_layer", real},
                           {"query_bias", real},
                           {"rel_pos", real},
                           {"weight", real},
                           {"bias", real},
                           {"eco_a", real},
                           {"token_offset", types::i32, Arity::optional}},
                .outputs = {{"output"}},
                .attributes = {{"num_heads", AttributeKind::integer, true}},
                .lower = lower,
                .note = "no packed batches"});
}

}  // namespace burin::ms_gated_relative_position_bias_op
