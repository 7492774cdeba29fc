// com.microsoft MultiHeadAttention: attention per head over Q, K and V that are projected already.
// Q is [batch, length, heads * size], or Q, K and V together [batch, length, heads, 3, size]; K and
// V are like Q, together [batch, length, heads, 2, size], or by heads [batch, heads, length, size].
// Earlier keys and values are put in front. Buffers that past and present share are not supported.
#include <limits>

#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_multi_head_attention_op {
namespace {

enum Input { kQuery, kKey, kValue, kBias, kPadding, kScores, kPastKey, kPastValue };

// Part `part` of [batch, length, heads, parts, size].
Heads packed(const Operand& x, int64_t part) {
  return {x.dim(0), x.dim(2), x.dim(1), x.dim(4),
          [x, part](const Index& b, const Index& h, const Index& i, const Index& e) {
            return x.at({b, i, h, part, e});
          }};
}

Heads heads_of(OpContext& op, const Operand& x, int64_t heads) {
  if (x.rank() == 4) return heads_apart(x);
  if (x.rank() != 3) refuse("shape-mismatch", "Q, K and V must have rank 3, 4 or 5");
  return heads_in_columns(op, x, heads);
}

Heads with_past(OpContext& op, const Heads& now, Type type, int past_input, int output) {
  std::optional<Heads> past;
  if (op.has_input(past_input)) {
    const Operand earlier = op.input(past_input);
    if (earlier.rank() != 4) refuse("shape-mismatch", "past keys and values must have rank 4");
    past = heads_apart(earlier);
    op.require_equal(past->batch, now.batch, "batch of past keys");
    op.require_equal(past->heads, now.heads, "heads of past keys");
    op.require_equal(past->size, now.size, "size of past keys");
  }
  if (!past && !op.has_output(output) && !op.has_input(kBias)) return now;
  const Shape shape = {now.batch, now.heads, now.length + (past ? past->length : Dim(0)), now.size};
  const Operand all = op.has_output(output)
                          ? op.output(output, type, shape)
                          : op.temporary("joined" + std::to_string(output), type, shape);
  return joined(op, all, past, now);
}

void lower(OpContext& op) {
  const Operand x = op.input(kQuery);
  const int64_t heads = head_count(op, "num_heads");
  for (int i = 0; i < op.input_count(); ++i) {
    if (i != kPadding && op.has_input(i) && op.input(i).type() != x.type())
      refuse("type-mismatch", "all inputs but the mask must have the type of query");
  }
  AttentionRule rule;
  Heads q, k, v;
  if (x.rank() == 5) {
    op.require_equal(x.dim(3), 3, "Q, K and V together");
    q = packed(x, 0), k = packed(x, 1), v = packed(x, 2);
  } else if (op.input(kKey).rank() == 5) {
    q = heads_of(op, x, heads);
    op.require_equal(op.input(kKey).dim(3), 2, "K and V together");
    k = packed(op.input(kKey), 0), v = packed(op.input(kKey), 1);
  } else {
    q = heads_of(op, x, heads);
    k = heads_of(op, op.input(kKey), heads), v = heads_of(op, op.input(kValue), heads);
  }
  for (const Heads* other : {&k, &v}) {
    op.require_equal(other->batch, q.batch, "batch");
    op.require_equal(other->heads, heads, "heads of K and V");
    op.require_equal(other->length, k.length, "lengths of K and V");
  }
  op.require_equal(q.heads, heads, "heads of Q");
  op.require_equal(q.size, k.size, "head size of Q and K");
  const Dim columns = q.size * heads;
  if (op.has_input(kBias)) {
    require_broadcastable(op, op.input(kBias).shape(), {columns * 2 + v.size * heads}, "bias");
  }
  // Each is computed once, with its bias, where there is one.
  rule.q = op.has_input(kBias)
               ? joined(op, op.temporary("query", x.type(), {q.batch, heads, q.length, q.size}),
                        std::nullopt, biased(op, kBias, q, 0))
               : q;
  rule.k = with_past(op, biased(op, kBias, k, columns), x.type(), kPastKey, 1);
  rule.v = with_past(op, biased(op, kBias, v, columns * 2), x.type(), kPastValue, 2);
  const Dim queries = q.length, keys = rule.k.length, past = keys - k.length;
  op.require_equal(rule.v.length, keys, "lengths of K and V");
  const Shape scores = {q.batch, heads, queries, keys};
  if (op.has_input(kScores))
    require_broadcastable(op, op.input(kScores).shape(), scores, "attention_bias");
  std::function<Expr(const Index&, const Index&, const Index&)> seen;
  if (op.has_input(kPadding)) seen = key_mask(op, kPadding, q.batch, queries, keys);
  const Type real = x.compute();
  const Expr filter = Expr::constant(real, op.real("mask_filter_value", -10000));
  const bool causal = op.integer("unidirectional", 0) != 0;
  rule.scale = attention_scale(op, real, q.size, true);
  rule.excludes = causal;
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    Expr masked = score;
    if (op.has_input(kScores)) masked = masked + op.input(kScores).broadcast_at({b, h, i, j});
    if (seen) masked = Expr::select(seen(b, i, j), masked, masked + filter);
    if (causal) {
      const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
      // The last query sees every key, as onnxruntime has it.
      masked = Expr::cases(
          {{{{i + past - j, 0, i + past - j + 1}}, masked}, {{{i, queries - 1, queries}}, masked}},
          least);
    }
    return masked;
  };
  emit_attention(op, rule, op.output(0, x.type(), {q.batch, queries, v.size * heads}));
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "MultiHeadAttention",
                .inputs = {{"query", types},
                           {"key", types, Arity::optional},
                           {"value", types, Arity::optional},
                           {"bias", types, Arity::optional},
                           {"key_padding_mask", types::i32, Arity::optional},
                           {"attention_bias", types, Arity::optional},
                           {"past_key", types, Arity::optional},
                           {"past_value", types, Arity::optional}},
                .outputs = {{"output"},
                            {"present_key", types, Arity::optional},
                            {"present_value", types, Arity::optional}},
                .attributes = {{"num_heads", AttributeKind::integer, true},
                               {"mask_filter_value", AttributeKind::real},
                               {"scale", AttributeKind::real},
                               {"unidirectional", AttributeKind::integer}},
                .lower = lower,
                .note = "no shared buffers"});
}

}  // namespace burin::ms_multi_head_attention_op
