#include "ops/api/layers/projected_attention.h"

#include <limits>

#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Part 0 (keys) or 1 (values) of present.
Heads part_of(const Operand& x, int64_t part) {
  return {x.dim(1), x.dim(2), x.dim(3), x.dim(4),
          [x, part](const Index& b, const Index& h, const Index& i, const Index& e) {
            return x.at({part, b, h, i, e});
          }};
}

// Keys and values of all positions, [2, batch, heads, length, size], as one tensor: where a caller
// keeps it (--state), only what is new is written.
Operand all_positions(OpContext& op, Type type, const std::optional<Operand>& past, const Heads& k,
                      const Heads& v) {
  const Dim before = past ? past->dim(3) : Dim(0);
  const Shape shape = {2, k.batch, k.heads, before + k.length, k.size};
  const Operand all =
      op.has_output(1) ? op.output(1, type, shape) : op.temporary("present", type, shape);
  op.map(all, [&](const Indices& at) {
    const Index position = at[3] - before;
    const Expr fresh = Expr::cases({{{{at[0], 0, 1}}, k.at(at[1], at[2], position, at[4])}},
                                   v.at(at[1], at[2], position, at[4]));
    return past ? Expr::cases({{{{at[3], 0, before}}, past->at(at)}}, fresh) : fresh;
  });
  return all;
}

}  // namespace

void check_projected(OpContext& op) {
  if (op.integer("do_rotary", 0) != 0)
    refuse("unsupported-attribute", "do_rotary: the operator does not rotate here");
  if (op.integer("past_present_share_buffer", 0) != 0)
    refuse("unsupported-attribute", "past and present may not share a buffer");
}

void lower_projected(OpContext& op, const Operand& all, const ProjectedInputs& inputs) {
  const auto has = [&](int input) { return input >= 0 && op.has_input(input); };
  const int64_t heads = head_count(op, "num_heads");
  const Dim third = floordiv(all.dim(2), 3);
  Shape sizes = {third, third, third};
  if (op.has("qkv_hidden_sizes")) {
    const std::vector<int64_t> given = op.integers("qkv_hidden_sizes");
    if (given.size() != 3) refuse("bad-attribute", "qkv_hidden_sizes must have three entries");
    sizes.assign(given.begin(), given.end());
  }
  op.require_equal(sizes[0] + sizes[1] + sizes[2], all.dim(2), "columns of weights");
  op.require_equal(sizes[0], sizes[1], "sizes of Q and K");
  for (const Dim& size : sizes)
    op.require_equal(floordiv(size, heads) * heads, size, "heads and hidden size");
  AttentionRule rule;
  Dim from = 0;
  for (Heads* part : {&rule.q, &rule.k, &rule.v}) {
    const Dim& size = sizes[static_cast<size_t>(part == &rule.k) + (part == &rule.v ? 2 : 0)];
    *part = heads_in_columns(all, heads, floordiv(size, heads), from);
    from = from + size;
  }
  if (has(inputs.past) || op.has_output(1)) {
    op.require_equal(rule.k.size, rule.v.size, "sizes of K and V");
    std::optional<Operand> past;
    if (has(inputs.past)) {
      past = op.input(inputs.past);
      if (past->rank() != 5) refuse("shape-mismatch", "past must have rank 5");
      const Shape expected = {2, all.dim(0), heads, past->dim(3), rule.k.size};
      for (int d = 0; d < 5; ++d)
        op.require_equal(past->dim(d), expected[static_cast<size_t>(d)], "past");
    }
    const Operand present = all_positions(op, all.type(), past, rule.k, rule.v);
    rule.k = part_of(present, 0);
    rule.v = part_of(present, 1);
  }
  const Type real = all.compute();
  const Dim queries = rule.q.length, keys = rule.k.length, past = keys - queries;
  const Expr filter = Expr::constant(real, op.real("mask_filter_value", -10000));
  std::function<Expr(const Index&, const Index&, const Index&)> seen;
  if (has(inputs.mask)) seen = key_mask(op, inputs.mask, all.dim(0), queries, keys);
  if (has(inputs.scores))
    require_broadcastable(op, op.input(inputs.scores).shape(), {all.dim(0), heads, queries, keys},
                          "attention_bias");
  const bool causal = op.integer("unidirectional", 0) != 0;
  rule.scale = attention_scale(op, real, rule.q.size, true);
  rule.excludes = causal;
  rule.mask = [&](const Expr& score, const Index& b, const Index& h, const Index& i,
                  const Index& j) {
    Expr masked = score;
    if (has(inputs.scores)) masked = masked + op.input(inputs.scores).broadcast_at({b, h, i, j});
    if (seen) masked = Expr::select(seen(b, i, j), masked, masked + filter);
    if (causal) {
      const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
      masked = Expr::cases({{{{i + past - j, 0, i + past - j + 1}}, masked}}, least);
    }
    return masked;
  };
  const Operand y = op.output(0, all.type(), {all.dim(0), queries, sizes[2]});
  emit_attention(op, rule, y);
}

}  // namespace burin
