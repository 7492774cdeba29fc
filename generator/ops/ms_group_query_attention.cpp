// com.microsoft GroupQueryAttention: causal attention where several query heads share a key head.
// Q, K and V are [batch, length, heads * size], or together in Q. seqlens_k is the number of keys
// of each row, less one; keys and values that are new go behind the earlier ones of their row, in
// `present`, which is as long as the longer of `past` and total_sequence_length and 0 where a row
// has no key. With do_rotary, Q and K turn by tables of cosines and sines. Queries that no key of
// their row stands for give 0. A head may have a sink, a score that stands for no key
// (smooth_softmax: 0). Quantised caches and packed batches are not supported.
#include <algorithm>
#include <limits>

#include "ops/api/layers/rotary.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_group_query_attention_op {
namespace {

enum Input {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLengths,
  kTotal,
  kCos,
  kSin,
  kPositions,
  kScores,
  kSink
};

constexpr int64_t kFarthest = int64_t{1} << 40;  // where new keys may begin

struct Parts {
  Heads q, k, v;
};

Parts parts_of(OpContext& op, int64_t heads, int64_t shared) {
  const Operand x = op.input(kQuery);
  if (x.rank() != 3) refuse("shape-mismatch", "query must have rank 3");
  if (!op.has_input(kKey)) {
    const Dim size = floordiv(x.dim(2), heads + 2 * shared);
    op.require_equal(size * (heads + 2 * shared), x.dim(2), "heads and the last dimension");
    return {heads_in_columns(x, heads, size), heads_in_columns(x, shared, size, size * heads),
            heads_in_columns(x, shared, size, size * (heads + shared))};
  }
  for (const int i : {kKey, kValue}) {
    if (op.input(i).rank() != 3) refuse("shape-mismatch", "key and value must have rank 3");
  }
  const Parts parts = {heads_in_columns(op, x, heads), heads_in_columns(op, op.input(kKey), shared),
                       heads_in_columns(op, op.input(kValue), shared)};
  for (const Heads* other : {&parts.k, &parts.v}) {
    op.require_equal(other->batch, parts.q.batch, "batch");
    op.require_equal(other->length, parts.q.length, "lengths of Q, K and V");
    op.require_equal(other->size, parts.q.size, "head sizes of Q, K and V");
  }
  return parts;
}

// `now` with its elements turned; `first`: the position of the first element of row b.
Heads turned(OpContext& op, const Heads& now, const std::function<Expr(const Index& b)>& first) {
  const Operand cos = op.input(kCos), sin = op.input(kSin);
  if (cos.rank() != 2 || sin.rank() != 2) refuse("shape-mismatch", "the caches must have rank 2");
  for (int d = 0; d < 2; ++d) op.require_equal(cos.dim(d), sin.dim(d), "the caches");
  Rotation rotation;
  rotation.interleaved = op.integer("rotary_interleaved", 0) != 0;
  rotation.size = cos.dim(1) * 2;
  op.require({{rotation.size, 0, now.size + 1}}, "columns of the caches");
  require_pickable(op, now.batch * now.length, cos.dim(0));
  const bool given = op.has_input(kPositions);
  if (given && op.input(kPositions).rank() != 2)
    refuse("shape-mismatch", "position_ids must have rank 2");
  const Operand positions = given ? op.input(kPositions) : Operand();
  if (given) {
    op.require_equal(positions.dim(0), now.batch, "batch of position_ids");
    op.require_equal(positions.dim(1), now.length, "length of position_ids");
  }
  const auto row = [=](const Index& b, const Index& i) {
    return data_index(given ? positions.at({b, i}) : first(b) + Expr::index(i), cos.dim(0));
  };
  rotation.cos = [=](const Index& b, const Index& i, const Index& p) {
    return cos.at({row(b, i), p});
  };
  rotation.sin = [=](const Index& b, const Index& i, const Index& p) {
    return sin.at({row(b, i), p});
  };
  Heads out = now;
  out.at = [now, rotation](const Index& b, const Index& h, const Index& i, const Index& e) {
    return rotated(
        rotation, [&](const Index& at) { return now.at(b, h, i, at); }, b, i, e);
  };
  return out;
}

// How many positions a cache has, and how many of them any row has keys at.
struct Room {
  Dim positions, keys;
};

// Earlier positions of each row, then those of `now` from position `first` of the row on, and zeros
// behind them. Where `past` had something they count for the caller alone, but for those that come
// to the keys of other rows in this run: a weight of 0 does not make nothing of what is no number.
Heads cached(OpContext& op, const Heads& now, int past_input, int output, const Room& room,
             Type type, const std::function<Expr(const Index& b)>& first) {
  const Shape shape = {now.batch, now.heads, room.positions, now.size};
  const Operand all = op.has_output(output)
                          ? op.output(output, type, shape)
                          : op.temporary("joined" + std::to_string(output), type, shape);
  const Expr none = all.zero(), farthest = Expr::index(room.positions);
  const auto begin = [&](const Index& b) {
    return Index::data(min(first(b), farthest).ptr(),
                       {0, std::min(room.positions.range().hi, kFarthest)});
  };
  KernelBuilder earlier;
  const Indices at = earlier.axes(shape);
  Expr value = none;
  if (op.has_input(past_input)) {
    const Operand past = op.input(past_input);
    const Expr is_key = compare(Binary::lt, Expr::index(at[2]), first(at[0]));
    value =
        Expr::cases({{{{at[2], 0, past.dim(2)}}, Expr::select(is_key, past.at(at), none)}}, none);
  }
  earlier.write(all, at, value);
  earlier.leave_zeros_to_caller();
  op.emit(earlier);
  if (op.has_input(past_input)) {
    KernelBuilder behind;
    const Indices own = behind.axes({now.batch, now.heads, now.length, now.size});
    const Index place = room.keys - now.length + own[2];
    behind.write(all, {own[0], own[1], place, own[3]}, none,
                 {{place, 0, room.keys}, {place - begin(own[0]), now.length, room.positions + 1}});
    op.emit(behind);
  }
  KernelBuilder fresh;
  const Indices own = fresh.axes({now.batch, now.heads, now.length, now.size});
  const Index place = begin(own[0]) + own[2];
  fresh.write(all, {own[0], own[1], place, own[3]}, now.at(own[0], own[1], own[2], own[3]),
              {{place, 0, room.positions}});
  op.emit(fresh);
  Heads out = heads_apart(all);
  out.length = room.keys;
  return out;
}

void lower(OpContext& op) {
  const int64_t heads = head_count(op, "num_heads"), shared = head_count(op, "kv_num_heads");
  const Parts parts = parts_of(op, heads, shared);
  const Operand x = op.input(kQuery), lengths = op.input(kLengths);
  const Dim batch = parts.q.batch, length = parts.q.length;
  op.require_equal(product(lengths.shape()), batch, "entries of seqlens_k");
  op.require_equal(product(op.input(kTotal).shape()), 1, "entries of total_sequence_length");
  const bool has_past = op.has_input(kPastKey);
  if (has_past != op.has_input(kPastValue))
    refuse("shape-mismatch", "past keys and values belong together");
  for (const int i : {kPastKey, kPastValue}) {
    if (!has_past) break;
    const Operand past = op.input(i);
    if (past.rank() != 4) refuse("shape-mismatch", "past keys and values must have rank 4");
    op.require_equal(past.dim(0), batch, "batch of past keys");
    op.require_equal(past.dim(1), shared, "heads of past keys");
    op.require_equal(past.dim(3), parts.k.size, "size of past keys");
    op.require_equal(past.dim(2), op.input(kPastKey).dim(2), "lengths of past keys and values");
  }
  // No more than are there: what the caches have room for, and those of this run.
  const Dim most = length + (has_past ? op.input(kPastKey).dim(2) : Dim(0));
  const Dim total = op.elements(kTotal, {0, most}, [](int64_t, const Expr& e) {
    return max(e, Expr::constant(Type::i64, 0));
  })[0];
  // The first run of a sequence brings all of it.
  const Expr is_first = compare(Binary::eq, Expr::index(total), Expr::index(length));
  const Room room{has_past ? max(total, op.input(kPastKey).dim(2)) : total, total};
  const Expr zero = Expr::constant(Type::i64, 0), one = Expr::constant(Type::i64, 1);
  if (lengths.rank() < 1 || lengths.rank() > 2)
    refuse("shape-mismatch", "seqlens_k must have rank 1 or 2");
  const auto keys_of = [=](const Index& b) {
    const Expr last = lengths.rank() == 1
                          ? lengths.at({b})
                          : lengths.at({floordiv(b, lengths.dim(1)), mod(b, lengths.dim(1))});
    return Expr::cast(Type::i64, last) + one;
  };
  const auto first = [=](const Index& b) {
    return Expr::select(is_first, zero, max(keys_of(b) - Expr::index(length), zero));
  };
  const bool rotates = op.integer("do_rotary", 0) != 0;
  AttentionRule rule;
  rule.q = parts.q;
  if (rotates) {
    const Operand query =
        op.temporary("query", x.type(), {batch, parts.q.heads, length, parts.q.size});
    rule.q = joined(op, query, std::nullopt, turned(op, parts.q, first));
  }
  rule.k = cached(op, rotates ? turned(op, parts.k, first) : parts.k, kPastKey, 1, room, x.type(),
                  first);
  rule.v = cached(op, parts.v, kPastValue, 2, room, x.type(), first);
  if (op.has_input(kScores))
    require_broadcastable(op, op.input(kScores).shape(), {batch, heads, length, total},
                          "attention_bias");
  const Type real = x.compute();
  const int64_t window = op.integer("local_window_size", -1);
  rule.scale = attention_scale(op, real, parts.q.size, true);
  rule.softcap = op.real("softcap", 0);
  if (op.has_input(kSink)) {
    const Operand sink = op.input(kSink);
    if (sink.rank() != 1) refuse("shape-mismatch", "head_sink must have rank 1");
    op.require_equal(sink.dim(0), heads, "heads of head_sink");
    rule.sink = [=](const Index& h) { return in_type(real, sink.at({h})); };
  } else if (op.integer("smooth_softmax", 0) > 0) {
    rule.sink = [=](const Index&) { return Expr::constant(real, 0); };
  }
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
    const Expr position = first(b) + Expr::index(i), key = Expr::index(j);
    Expr seen = Expr::binary(Binary::logical_and, compare(Binary::le, key, position),
                             compare(Binary::lt, key, keys_of(b)));
    if (window > 0) {
      seen = Expr::binary(Binary::logical_and, seen,
                          compare(Binary::gt, key, position - Expr::constant(Type::i64, window)));
    }
    const Expr biased =
        op.has_input(kScores) ? score + op.input(kScores).broadcast_at({b, h, i, j}) : score;
    return Expr::select(seen, biased, least);
  };
  emit_attention(op, rule, op.output(0, x.type(), {batch, length, parts.q.size * heads}));
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op(
      {.name = "GroupQueryAttention",
       .inputs = {{"query", types},
                  {"key", types, Arity::optional},
                  {"value", types, Arity::optional},
                  {"past_key", types, Arity::optional},
                  {"past_value", types, Arity::optional},
                  {"seqlens_k", types::i32},
                  {"total_sequence_length", types::i32},
                  {"cos_cache", types, Arity::optional},
                  {"sin_cache", types, Arity::optional},
                  {"position_ids", types::i64, Arity::optional},
                  {"attention_bias", types, Arity::optional},
                  {"head_sink", types, Arity::optional}},
       .outputs = {{"output"},
                   {"present_key", types, Arity::optional},
                   {"present_value", types, Arity::optional}},
       .attributes = {{"num_heads", AttributeKind::integer, true},
                      {"kv_num_heads", AttributeKind::integer, true},
                      {"do_rotary", AttributeKind::integer},
                      {"rotary_interleaved", AttributeKind::integer},
                      {"local_window_size", AttributeKind::integer},
                      {"scale", AttributeKind::real},
                      {"softcap", AttributeKind::real},
                      {"smooth_softmax", AttributeKind::integer},
                      // Of inputs that there are none of, or of other values of these.
                      {"q_norm_epsilon", AttributeKind::real},
                      {"k_norm_epsilon", AttributeKind::real},
                      {"qk_norm_epsilon", AttributeKind::real},
                      {"kv_cache_bit_width", AttributeKind::integer},
                      {"causal", AttributeKind::integer, false, {}, int64_t{1}},
                      {"qk_output", AttributeKind::integer, false, {}, int64_t{0}},
                      {"sliding_window_cache", AttributeKind::integer, false, {}, int64_t{0}},
                      {"k_quant_type", AttributeKind::text, false, {}, "NONE"},
                      {"v_quant_type", AttributeKind::text, false, {}, "NONE"}},
       .lower = lower,
       .note = "no quantised caches"});
}

}  // namespace burin::ms_group_query_attention_op
