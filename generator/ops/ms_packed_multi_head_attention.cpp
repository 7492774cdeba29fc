// com.microsoft PackedMultiHeadAttention: attention of sequences that lie one behind the other
// without padding. Q, K and V are [tokens, heads * size], or together in Q, [tokens, heads, 3,
// size]. cumulative_sequence_length, [batch + 1], says where each sequence begins: a token sees
// those of its own. attention_bias is by places within a sequence. Of token_offset, where a token
// was before packing, nothing depends but the shape of attention_bias.
//
// One kernel over all pairs of tokens, those of other sequences kept out: O(tokens^2).
#include <limits>

#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_packed_multi_head_attention_op {
namespace {

enum Input { kQuery, kKey, kValue, kBias, kOffsets, kBegins, kScores };

// Of [tokens, columns], or part `part` of [tokens, heads, 3, size]; with its part of the bias.
Heads heads_of(OpContext& op, const Operand& x, int64_t heads, int64_t part, const Dim& from) {
  Dim size;
  std::function<Expr(const Index&, const Index&, const Index&)> at;
  if (x.rank() == 4) {
    size = x.dim(3);
    at = [=](const Index& h, const Index& i, const Index& e) { return x.at({i, h, part, e}); };
  } else {
    if (x.rank() != 2) refuse("shape-mismatch", "Q, K and V must have rank 2 or 4");
    size = floordiv(x.dim(1), heads);
    op.require_equal(size * heads, x.dim(1), "heads and the last dimension");
    at = [=](const Index& h, const Index& i, const Index& e) { return x.at({i, h * size + e}); };
  }
  const Operand bias = op.has_input(kBias) ? op.input(kBias) : Operand();
  return {1, heads, x.dim(0), size,
          [=](const Index&, const Index& h, const Index& i, const Index& e) {
            return bias ? at(h, i, e) + bias.broadcast_at({from + h * size + e}) : at(h, i, e);
          }};
}

// Which sequence each token is of: how many end at it or before.
Operand sequences(OpContext& op, const Operand& begins, const Dim& tokens) {
  const Operand out = op.temporary("sequences", Type::i32, {tokens});
  KernelBuilder kernel;
  const Index token = kernel.axis(tokens, "token");
  const Index s = kernel.reduce_axis(begins.dim(0) - 1, "sequence");
  const Expr ended =
      compare(Binary::le, Expr::cast(Type::i64, begins.at({s + 1})), Expr::index(token));
  kernel.write(out, {token}, kernel.reduce(Combiner::sum, {s}, Expr::cast(Type::i32, ended)));
  op.emit(kernel);
  return out;
}

// A result, computed once, where it is more than the input.
Heads once(OpContext& op, const Heads& heads, const char* what, Type type) {
  if (!op.has_input(kBias)) return heads;
  return joined(op, op.temporary(what, type, {1, heads.heads, heads.length, heads.size}),
                std::nullopt, heads);
}

void lower(OpContext& op) {
  const Operand x = op.input(kQuery), begins = op.input(kBegins), offsets = op.input(kOffsets);
  const int64_t heads = head_count(op, "num_heads");
  for (const int i : {kKey, kValue, kBias, kScores}) {
    if (op.has_input(i) && op.input(i).type() != x.type())
      refuse("type-mismatch", "all inputs of numbers must have the type of query");
  }
  if (begins.rank() != 1) refuse("shape-mismatch", "cumulative_sequence_length must have rank 1");
  if (offsets.rank() != 2) refuse("shape-mismatch", "token_offset must have rank 2");
  op.require_equal(begins.dim(0), offsets.dim(0) + 1, "entries of cumulative_sequence_length");
  const bool together = x.rank() == 4;
  if (together == op.has_input(kKey) || together == op.has_input(kValue))
    refuse("shape-mismatch", "K and V are inputs where Q has rank 2, and only there");
  if (together) {
    op.require_equal(x.dim(1), heads, "heads of Q");
    op.require_equal(x.dim(2), 3, "Q, K and V together");
  }
  const Heads q = heads_of(op, x, heads, 0, 0);
  const Heads k = heads_of(op, together ? x : op.input(kKey), heads, 1, q.size * heads);
  const Heads v = heads_of(op, together ? x : op.input(kValue), heads, 2, q.size * (heads * 2));
  op.require_equal(k.size, q.size, "head size of Q and K");
  op.require_equal(k.length, q.length, "tokens of Q and K");
  op.require_equal(v.length, q.length, "tokens of Q and V");
  if (op.has_input(kBias)) {
    require_broadcastable(op, op.input(kBias).shape(), {q.size * (heads * 2) + v.size * heads},
                          "bias");
  }
  const Dim most = offsets.dim(1);
  if (op.has_input(kScores)) {
    require_broadcastable(op, op.input(kScores).shape(), {offsets.dim(0), heads, most, most},
                          "attention_bias");
  }
  require_pickable(op, q.length, offsets.dim(0));
  if (op.has_input(kScores)) require_pickable(op, q.length, most);
  const Operand of = sequences(op, begins, q.length);
  AttentionRule rule;
  rule.q = once(op, q, "query", x.type());
  rule.k = once(op, k, "keys", x.type());
  rule.v = once(op, v, "values", x.type());
  const Type real = x.compute();
  rule.scale = attention_scale(op, real, q.size, true);
  rule.mask = [&](const Expr& score, const Index&, const Index& h, const Index& i, const Index& j) {
    Expr masked = score;
    if (op.has_input(kScores)) {
      const Index sequence = data_index(of.at({i}), offsets.dim(0));
      const Expr begin = Expr::cast(Type::i64, begins.at({sequence}));
      const Index row = data_index(Expr::index(i) - begin, most);
      const Index column = data_index(Expr::index(j) - begin, most);
      masked = masked + op.input(kScores).broadcast_at({sequence, h, row, column});
    }
    const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
    return Expr::select(compare(Binary::eq, of.at({i}), of.at({j})), masked, least);
  };
  const Operand y = op.output(0, x.type(), {q.length, v.size * heads});
  const Operand apart = op.temporary("result", x.type(), {1, q.length, v.size * heads});
  emit_attention(op, rule, apart);
  op.map(y, [&](const Indices& at) { return apart.at({0, at[0], at[1]}); });
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "PackedMultiHeadAttention",
                .inputs = {{"query", types},
                           {"key", types, Arity::optional},
                           {"value", types, Arity::optional},
                           {"bias", types, Arity::optional},
                           {"token_offset", types::i32},
                           {"cumulative_sequence_length", types::i32},
                           {"attention_bias", types, Arity::optional}},
                .outputs = {{"output"}},
                .attributes = {{"num_heads", AttributeKind::integer, true},
                               {"scale", AttributeKind::real},
                               {"mask_filter_value", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ms_packed_multi_head_attention_op
