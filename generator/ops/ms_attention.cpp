// com.microsoft Attention: the projections to Q, K and V as one product, then attention per head.
// Earlier keys and values are the input `past`, [2, batch, heads, length, size], all of them the
// output `present`. do_rotary and buffers that past and present share are not supported.
#include <limits>

#include "ops/api/attention.h"
#include "ops/api/contraction.h"
#include "ops/api/fused.h"
#include "support/diagnostics.h"

namespace burin::ms_attention_op {
namespace {

constexpr int kWeights = 1, kBias = 2, kMask = 3, kPast = 4, kScores = 5;

// input * weights + bias: [batch, position, Q and K and V].
Operand projected(OpContext& op) {
  const Operand x = op.input(0), w = op.input(kWeights);
  const Operand all = op.temporary("projected", x.type(), {x.dim(0), x.dim(1), w.dim(1)});
  KernelBuilder kernel;
  const Indices at = kernel.axes(all.shape());
  const Index k = kernel.reduce_axis(x.dim(2), "inner");
  Expr sum = kernel.reduce(Combiner::sum, {k}, x.at({at[0], at[1], k}) * w.at({k, at[2]}));
  if (op.has_input(kBias)) sum = sum + op.input(kBias).at({at[2]});
  kernel.write(all, at, sum);
  op.emit(kernel);
  return all;
}

// Part 0 (keys) or 1 (values) of past or present.
Heads part_of(const Operand& x, int64_t part) {
  return {x.dim(1), x.dim(2), x.dim(3), x.dim(4),
          [x, part](const Index& b, const Index& h, const Index& i, const Index& e) {
            return x.at({part, b, h, i, e});
          }};
}

void write_part(OpContext& op, const Operand& present, int64_t part, const Heads& heads) {
  KernelBuilder kernel;
  const Indices at = kernel.axes({heads.batch, heads.heads, heads.length, heads.size});
  kernel.write(present, {part, at[0], at[1], at[2], at[3]}, heads.at(at[0], at[1], at[2], at[3]));
  op.emit(kernel);
}

void lower(OpContext& op) {
  const Operand x = op.input(0), w = op.input(kWeights);
  if (x.rank() != 3 || w.rank() != 2)
    refuse("shape-mismatch", "input and weights must have ranks 3 and 2");
  if (op.integer("do_rotary", 0) != 0)
    refuse("unsupported-attribute", "do_rotary: the operator does not rotate here");
  if (op.integer("past_present_share_buffer", 0) != 0)
    refuse("unsupported-attribute", "past and present may not share a buffer");
  op.require_equal(w.dim(0), x.dim(2), "rows of weights");
  const int64_t heads = head_count(op, "num_heads");
  const Dim third = floordiv(w.dim(1), 3);
  Shape sizes = {third, third, third};
  if (op.has("qkv_hidden_sizes")) {
    const std::vector<int64_t> given = op.integers("qkv_hidden_sizes");
    if (given.size() != 3) refuse("bad-attribute", "qkv_hidden_sizes must have three entries");
    sizes.assign(given.begin(), given.end());
  }
  op.require_equal(sizes[0] + sizes[1] + sizes[2], w.dim(1), "columns of weights");
  op.require_equal(sizes[0], sizes[1], "sizes of Q and K");
  for (const Dim& size : sizes)
    op.require_equal(floordiv(size, heads) * heads, size, "heads and hidden size");
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {w.dim(1)}, "bias");

  const Operand all = projected(op);
  AttentionRule rule;
  Dim from = 0;
  for (Heads* part : {&rule.q, &rule.k, &rule.v}) {
    const Dim& size = sizes[static_cast<size_t>(part == &rule.k) + (part == &rule.v ? 2 : 0)];
    *part = heads_in_columns(all, heads, floordiv(size, heads), from);
    from = from + size;
  }
  if (op.has_input(kPast) || op.has_output(1)) {
    op.require_equal(rule.k.size, rule.v.size, "sizes of K and V");
    std::optional<Heads> past_k, past_v;
    if (op.has_input(kPast)) {
      const Operand past = op.input(kPast);
      if (past.rank() != 5) refuse("shape-mismatch", "past must have rank 5");
      const Shape expected = {2, x.dim(0), heads, past.dim(3), rule.k.size};
      for (int d = 0; d < 5; ++d)
        op.require_equal(past.dim(d), expected[static_cast<size_t>(d)], "past");
      past_k = part_of(past, 0);
      past_v = part_of(past, 1);
    }
    const Dim total = x.dim(1) + (past_k ? past_k->length : Dim(0));
    const Shape shape = {x.dim(0), heads, total, rule.k.size};
    rule.k = joined(op, op.temporary("keys", x.type(), shape), past_k, rule.k);
    rule.v = joined(op, op.temporary("values", x.type(), shape), past_v, rule.v);
    if (op.has_output(1)) {
      const Operand present = op.output(1, x.type(), {2, x.dim(0), heads, total, rule.k.size});
      write_part(op, present, 0, rule.k);
      write_part(op, present, 1, rule.v);
    }
  }
  const Type real = x.compute();
  const Dim queries = rule.q.length, keys = rule.k.length, past = keys - queries;
  const Expr filter = Expr::constant(real, op.real("mask_filter_value", -10000));
  std::function<Expr(const Index&, const Index&, const Index&)> seen;
  if (op.has_input(kMask)) seen = key_mask(op, kMask, x.dim(0), queries, keys);
  if (op.has_input(kScores))
    require_broadcastable(op, op.input(kScores).shape(), {x.dim(0), heads, queries, keys},
                          "attention_bias");
  const bool causal = op.integer("unidirectional", 0) != 0;
  rule.scale = attention_scale(op, real, rule.q.size, true);
  rule.excludes = causal;
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    Expr masked = score;
    if (op.has_input(kScores)) masked = masked + op.input(kScores).broadcast_at({b, h, i, j});
    if (seen) masked = Expr::select(seen(b, i, j), masked, masked + filter);
    if (causal) {
      const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
      masked = Expr::cases({{{{i + past - j, 0, i + past - j + 1}}, masked}}, least);
    }
    return masked;
  };
  const Operand y = op.output(0, x.type(), {x.dim(0), queries, sizes[2]});
  emit_attention(op, rule, y);
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
