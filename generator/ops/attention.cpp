// Attention: softmax(scale * Q K' + mask) V per head. Heads are a dimension of their own ([batch,
// heads, length, size]) or part of the last one ([batch, length, heads * size]); several query
// heads may share a key head. Earlier keys and values are put in front; or K and V are whole caches
// of which the first nonpad_kv_seqlen positions count (since opset 24);
// windows leave out keys that are far from the query (since opset 25). Since opset 23.
#include <limits>

#include "ops/api/core/op_def.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::attention_op {
namespace {

constexpr int kMask = 3, kPastKey = 4, kPastValue = 5, kFilled = 6;

Heads heads_of(OpContext& op, int input, const char* count) {
  const Operand x = op.input(input);
  if (x.rank() == 4) return heads_apart(x);
  if (x.rank() != 3) refuse("shape-mismatch", "Q, K and V must have rank 3 or 4");
  return heads_in_columns(op, x, head_count(op, count));
}

// Earlier positions in front of those of `now`; also an output where the node has it.
Heads with_past(OpContext& op, const Heads& now, Type type, int past_input, int output) {
  if (!op.has_input(past_input) && !op.has_output(output)) return now;
  std::optional<Heads> past;
  if (op.has_input(past_input)) {
    const Operand earlier = op.input(past_input);
    if (earlier.rank() != 4) refuse("shape-mismatch", "past keys and values must have rank 4");
    past = heads_apart(earlier);
    op.require_equal(past->batch, now.batch, "batch of past keys");
    op.require_equal(past->heads, now.heads, "heads of past keys");
    op.require_equal(past->size, now.size, "size of past keys");
  }
  const Shape shape = {now.batch, now.heads, now.length + (past ? past->length : Dim(0)), now.size};
  const Operand all = op.has_output(output)
                          ? op.output(output, type, shape)
                          : op.temporary("joined" + std::to_string(output), type, shape);
  return joined(op, all, past, now);
}

// Positions that a query sees on one side of its own; -1: all.
int64_t window_size(OpContext& op, const char* attribute) {
  const int64_t size = op.integer(attribute, -1);
  if (size < -1 || size > highest(Type::i32))
    refuse("bad-attribute", std::string(attribute) + " is " + std::to_string(size) +
                                "; it is -1 or a number of positions");
  return size;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  AttentionRule rule;
  rule.q = heads_of(op, 0, "q_num_heads");
  const Heads k = heads_of(op, 1, "kv_num_heads"), v = heads_of(op, 2, "kv_num_heads");
  for (const Heads& other : {k, v}) {
    op.require_equal(other.batch, rule.q.batch, "batch");
    op.require_equal(other.heads, k.heads, "heads of K and V");
    op.require_equal(other.length, k.length, "lengths of K and V");
  }
  op.require_equal(rule.q.size, k.size, "head size of Q and K");
  rule.k = with_past(op, k, op.input(1).type(), kPastKey, 1);
  rule.v = with_past(op, v, op.input(2).type(), kPastValue, 2);
  const Dim total = rule.k.length, past = total - k.length;
  op.require_equal(rule.v.length, total, "lengths of K and V");
  const Shape scores = {rule.q.batch, rule.q.heads, rule.q.length, total};
  // A mask may end early: what it leaves out is not attended to.
  bool ends_early = false;
  if (op.has_input(kMask)) {
    Shape shape = op.input(kMask).shape();
    ends_early = !shape.empty() && shape.back().is_constant() && !shape.back().is_constant(1) &&
                 proven_lt(shape.back(), total);
    if (ends_early) shape.back() = total;
    require_broadcastable(op, shape, scores, "attn_mask");
  }
  const bool has_filled = op.has_input(kFilled);
  if (has_filled) {
    if (op.has_input(kPastKey) || op.has_input(kPastValue))
      refuse("bad-attribute", "nonpad_kv_seqlen and past_key exclude each other");
    if (op.input(kFilled).rank() != 1)
      refuse("shape-mismatch", "nonpad_kv_seqlen must have one dimension");
    op.require_equal(op.input(kFilled).dim(0), rule.q.batch, "batch of nonpad_kv_seqlen");
  }
  const Operand y =
      op.output(0, x.type(),
                x.rank() == 4 ? Shape{rule.q.batch, rule.q.heads, rule.q.length, rule.v.size}
                              : Shape{rule.q.batch, rule.q.length, rule.q.heads * rule.v.size});
  const Type real = x.compute();
  rule.scale = attention_scale(op, real, rule.q.size);
  rule.softcap = op.real("softcap", 0);
  const bool causal = op.integer("is_causal", 0) != 0;
  const int64_t left = window_size(op, "left_window_size"),
                right = window_size(op, "right_window_size");
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
    Expr masked = score;
    if (op.has_input(kMask)) {
      const Operand given = op.input(kMask);
      const Expr mask = given.broadcast_at({b, h, i, j});
      masked = mask.type() == Type::boolean ? Expr::select(mask, masked, least)
                                            : masked + in_type(real, mask);
      if (ends_early) masked = Expr::cases({{{{j, 0, given.dim(-1)}}, masked}}, least);
    }
    if (has_filled) {
      // Positions behind those that are filled; with `causal`, the last query sees all of these.
      const Expr filled = op.input(kFilled).at({b});
      const Expr end = causal ? filled + Expr::index(i - rule.q.length + 1) : filled;
      masked = Expr::select(compare(Binary::lt, Expr::index(j), min(filled, end)), masked, least);
    } else if (causal) {
      masked = Expr::cases({{{{i + past - j, 0, i + past - j + 1}}, masked}}, least);
    }
    if (left < 0 && right < 0) return masked;
    // Keys from `left` before the query's own position to `right` behind it.
    if (!has_filled) {
      const Index ahead = j - i - past;
      Guard seen;
      if (left >= 0) seen.push_back({ahead + left, 0, max(ahead + left + 1, 1)});
      if (right >= 0) seen.push_back({-ahead + right, 0, max(-ahead + right + 1, 1)});
      return Expr::cases({{seen, masked}}, least);
    }
    const Expr own = op.input(kFilled).at({b}) + Expr::index(i - rule.q.length);
    const Expr ahead = Expr::index(j) - own;
    if (left >= 0)
      masked =
          Expr::select(compare(Binary::ge, ahead, Expr::constant(Type::i64, -left)), masked, least);
    if (right >= 0)
      masked =
          Expr::select(compare(Binary::le, ahead, Expr::constant(Type::i64, right)), masked, least);
    return masked;
  };
  const int64_t raw_mode = op.integer("qk_matmul_output_mode", 0);
  rule.more = [&](KernelBuilder& kernel, const AttentionScores& found, const Indices& at) {
    if (!op.has_output(3)) return;
    const Expr value = raw_mode == 3 ? found.weight : raw_mode == 2 ? found.masked : found.capped;
    kernel.write(op.output(3, x.type(), scores), at, value);
  };
  emit_attention(op, rule, y);
}

}  // namespace

OpDef definition() {
  return {.name = "Attention",
          .since = 23,
          .inputs = {{"Q", types::floats},
                     {"K", types::floats},
                     {"V", types::floats},
                     {"attn_mask", types::numeric | types::boolean, Arity::optional},
                     {"past_key", types::floats, Arity::optional},
                     {"past_value", types::floats, Arity::optional},
                     {"nonpad_kv_seqlen", types::i64, Arity::optional, since(24)}},
          .outputs = {{"Y"},
                      {"present_key", types::floats, Arity::optional},
                      {"present_value", types::floats, Arity::optional},
                      {"qk_matmul_output", types::floats, Arity::optional}},
          .attributes = {{"is_causal", AttributeKind::integer},
                         {"kv_num_heads", AttributeKind::integer},
                         {"left_window_size", AttributeKind::integer, false, since(25)},
                         {"q_num_heads", AttributeKind::integer},
                         {"qk_matmul_output_mode", AttributeKind::integer},
                         {"right_window_size", AttributeKind::integer, false, since(25)},
                         {"scale", AttributeKind::real},
                         {"softcap", AttributeKind::real},
                         {"softmax_precision", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::attention_op
