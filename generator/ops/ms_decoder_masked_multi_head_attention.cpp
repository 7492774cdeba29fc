// com.microsoft DecoderMaskedMultiHeadAttention: attention of one query per row, as decoders take
// it, with search by beams.
//
// Of a decoder on itself: K and V are the query's own, [batch, 1, heads * size], or Q, K and V are
// together in Q. They go behind the earlier ones: at past_sequence_length of a buffer that past and
// present share (past_present_share_buffer), or behind all of past. Rows are beams of
// cache_indirection's first dimension: position j of beam w is where its entry says that it came
// from, a beam of the same batch entry. Without past, K and V are another's, [batch, heads, length,
// size], and of the bias only Q takes its part. A fourth output has the scores behind the mask.
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_decoder_masked_multi_head_attention_op {
namespace {

enum Input {
  kQuery,
  kKey,
  kValue,
  kMask,
  kScores,
  kPastKey,
  kPastValue,
  kPastLength,
  kBeams,
  kOrigins,
  kBias
};

// The only element of an input.
Dim number(OpContext& op, int input, const SizeRange& range, const char* name) {
  op.require_equal(product(op.input(input).shape()), 1, std::string("elements of ") + name);
  return op.elements(input, range)[0];
}

struct Cache {
  Dim earlier, keys;    // positions before the query's, and with it
  bool shared = false;  // past has room for more
};

// Earlier positions with those of `now` behind them.
Heads cached(OpContext& op, const Heads& now, int past_input, int output, const Cache& cache,
             Type type) {
  const Operand past = op.input(past_input);
  if (past.rank() != 4) refuse("shape-mismatch", "past keys and values must have rank 4");
  op.require_equal(past.dim(0), now.batch, "batch of past keys");
  op.require_equal(past.dim(1), now.heads, "heads of past keys");
  op.require_equal(past.dim(2), op.input(kPastKey).dim(2), "lengths of past keys and values");
  op.require_equal(past.dim(3), now.size, "size of past keys");
  const Shape shape = {now.batch, now.heads, cache.shared ? past.dim(2) : cache.keys, now.size};
  const Operand all = op.has_output(output)
                          ? op.output(output, type, shape)
                          : op.temporary("joined" + std::to_string(output), type, shape);
  if (!cache.shared) return joined(op, all, heads_apart(past), now);
  op.map(all, [&](const Indices& at) {
    return Expr::cases({{{{at[2], cache.earlier, cache.keys}},
                         now.at(at[0], at[1], at[2] - cache.earlier, at[3])}},
                       past.at(at));
  });
  Heads out = heads_apart(all);
  out.length = cache.keys;
  return out;
}

// Each row's positions from the beams that they came from.
Heads by_origin(OpContext& op, const Heads& all, const Cache& cache, const std::string& what,
                Type type) {
  if (!op.has_input(kOrigins)) return all;
  const Operand origins = op.input(kOrigins);
  if (origins.rank() != 3) refuse("shape-mismatch", "cache_indirection must have rank 3");
  const Dim beams = origins.dim(1);
  op.require({{beams, 1, kUnbounded}}, "beams of cache_indirection");
  op.require_equal(origins.dim(0) * beams, all.batch, "beams of cache_indirection");
  op.require({{cache.earlier, 0, origins.dim(2) + 1}}, "positions of cache_indirection");
  if (op.has_input(kBeams)) {
    op.require_equal(number(op, kBeams, {1, kUnbounded}, "beam_width"), beams, "beam_width");
  }
  const Operand to = op.temporary(what, type, {all.batch, all.heads, cache.keys, all.size});
  op.map(to, [&](const Indices& at) {
    const Index batch = floordiv(at[0], beams);
    const Index beam = data_index(origins.at({batch, mod(at[0], beams), at[2]}), beams);
    return Expr::cases(
        {{{{at[2], 0, cache.earlier}}, all.at(batch * beams + beam, at[1], at[2], at[3])}},
        all.at(at[0], at[1], at[2], at[3]));
  });
  return heads_apart(to);
}

struct Parts {
  Heads q, k, v;
  bool own = true;  // K and V are the query's
};

Parts parts_of(OpContext& op, int64_t heads) {
  const Operand x = op.input(kQuery);
  if (x.rank() != 3) refuse("shape-mismatch", "query must have rank 3");
  op.require_equal(x.dim(1), 1, "length of query");
  if (op.has_input(kKey) != op.has_input(kValue))
    refuse("shape-mismatch", "keys and values belong together");
  if (!op.has_input(kKey)) {
    const Dim size = floordiv(x.dim(2), heads * 3);
    op.require_equal(size * (heads * 3), x.dim(2), "heads and the last dimension");
    return {heads_in_columns(x, heads, size), heads_in_columns(x, heads, size, size * heads),
            heads_in_columns(x, heads, size, size * (heads * 2))};
  }
  const Operand key = op.input(kKey), value = op.input(kValue);
  if (key.rank() != value.rank() || (key.rank() != 3 && key.rank() != 4))
    refuse("shape-mismatch", "keys and values must have rank 3 or 4");
  Parts parts;
  parts.q = heads_in_columns(op, x, heads);
  parts.own = key.rank() == 3;
  parts.k = parts.own ? heads_in_columns(op, key, heads) : heads_apart(key);
  parts.v = parts.own ? heads_in_columns(op, value, heads) : heads_apart(value);
  for (const Heads* other : {&parts.k, &parts.v}) {
    op.require_equal(other->batch, parts.q.batch, "batch");
    op.require_equal(other->heads, heads, "heads of K and V");
    op.require_equal(other->length, parts.own ? Dim(1) : parts.k.length, "lengths of K and V");
  }
  op.require_equal(parts.q.size, parts.k.size, "head size of Q and K");
  return parts;
}

// Puts K and V behind what was before, where they are the query's own.
void put_behind(OpContext& op, Parts& parts, Type type) {
  Cache cache;
  cache.shared = op.integer("past_present_share_buffer", 0) != 0;
  const Dim room = op.input(kPastKey).dim(2);
  if (cache.shared && !op.has_input(kPastLength))
    refuse("missing-input", "a buffer that past and present share needs past_sequence_length");
  cache.earlier =
      cache.shared ? number(op, kPastLength, {0, room - 1}, "past_sequence_length") : room;
  cache.keys = cache.earlier + 1;
  parts.k = by_origin(op, cached(op, parts.k, kPastKey, 1, cache, type), cache, "keys", type);
  parts.v = by_origin(op, cached(op, parts.v, kPastValue, 2, cache, type), cache, "values", type);
}

void lower(OpContext& op) {
  const Operand x = op.input(kQuery);
  const int64_t heads = head_count(op, "num_heads");
  for (const int i : {kKey, kValue, kScores, kPastKey, kPastValue, kBias}) {
    if (op.has_input(i) && op.input(i).type() != x.type())
      refuse("type-mismatch", "all inputs of numbers must have the type of query");
  }
  Parts parts = parts_of(op, heads);
  const Dim columns = parts.q.size * heads;
  if (op.has_input(kBias)) {
    require_broadcastable(op, op.input(kBias).shape(), {columns * 2 + parts.v.size * heads},
                          "bias");
    parts.q = joined(op, op.temporary("query", x.type(), {parts.q.batch, heads, 1, parts.q.size}),
                     std::nullopt, biased(op, kBias, parts.q, 0));
    if (parts.own) {
      parts.k = biased(op, kBias, parts.k, columns);
      parts.v = biased(op, kBias, parts.v, columns * 2);
    }
  }
  const bool past = op.has_input(kPastKey);
  if (past != op.has_input(kPastValue))
    refuse("shape-mismatch", "past keys and values belong together");
  if (past != parts.own)
    refuse("shape-mismatch", "past keys and values belong to keys and values of rank 3");
  if (past) put_behind(op, parts, x.type());
  if (!past && (op.has_output(1) || op.has_output(2)))
    refuse("missing-input", "present keys and values need past ones");
  AttentionRule rule;
  rule.q = parts.q;
  rule.k = parts.k;
  rule.v = parts.v;
  const Dim batch = rule.q.batch, keys = rule.k.length;
  const Shape scores = {batch, heads, 1, keys};
  if (op.has_input(kScores))
    require_broadcastable(op, op.input(kScores).shape(), scores, "attention_bias");
  std::function<Expr(const Index&, const Index&, const Index&)> seen;
  if (op.has_input(kMask)) {
    if (op.input(kMask).rank() != 2) refuse("shape-mismatch", "mask_index must have rank 2");
    seen = key_mask(op, kMask, batch, 1, keys);
  }
  const Type real = x.compute();
  const Expr filter = Expr::constant(real, op.real("mask_filter_value", -10000));
  rule.scale = attention_scale(op, real, rule.q.size, true);
  rule.excludes = false;
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    Expr masked = score;
    if (op.has_input(kScores)) masked = masked + op.input(kScores).broadcast_at({b, h, i, j});
    return seen ? Expr::select(seen(b, i, j), masked, masked + filter) : masked;
  };
  rule.more = [&](KernelBuilder& kernel, const AttentionScores& found, const Indices& at) {
    if (op.has_output(3)) kernel.write(op.output(3, x.type(), scores), at, found.masked);
  };
  emit_attention(op, rule, op.output(0, x.type(), {batch, 1, rule.v.size * heads}));
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "DecoderMaskedMultiHeadAttention",
                .inputs = {{"query", types},
                           {"key", types, Arity::optional},
                           {"value", types, Arity::optional},
                           {"mask_index", types::i32, Arity::optional},
                           {"attention_bias", types, Arity::optional},
                           {"past_key", types, Arity::optional},
                           {"past_value", types, Arity::optional},
                           {"past_sequence_length", types::i32, Arity::optional},
                           {"beam_width", types::i32, Arity::optional},
                           {"cache_indirection", types::i32, Arity::optional},
                           {"bias", types, Arity::optional}},
                .outputs = {{"output"},
                            {"present_key", types, Arity::optional},
                            {"present_value", types, Arity::optional},
                            {"qk", types, Arity::optional}},
                .attributes = {{"num_heads", AttributeKind::integer, true},
                               {"past_present_share_buffer", AttributeKind::integer},
                               {"scale", AttributeKind::real},
                               {"mask_filter_value", AttributeKind::real},
                               {"output_qk", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_decoder_masked_multi_head_attention_op
