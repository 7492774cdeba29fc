// Attention: softmax(scale * Q K' + mask) V per head, as one cascade of five lets. Heads are a
// dimension of their own ([batch, heads, length, size]) or part of the last one ([batch, length,
// heads * size]); several query heads may share a key head. Earlier keys and values are put in
// front. Since opset 23.
#include <limits>

#include "ops/api/contraction.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kMask = 3, kPastKey = 4, kPastValue = 5;

// A tensor as [batch, head, position, element], whatever its rank.
struct Heads {
  Operand operand;
  Dim heads, length, size;

  Expr at(const Index& b, const Index& h, const Index& i, const Index& e) const {
    if (operand.rank() == 4) return operand.at({b, h, i, e});
    return operand.at({b, i, h * size + e});
  }
};

Heads heads_of(OpContext& op, int input, const char* count) {
  const Operand x = op.input(input);
  if (x.rank() == 4) return {x, x.dim(1), x.dim(2), x.dim(3)};
  if (x.rank() != 3) refuse("shape-mismatch", "Q, K and V must have rank 3 or 4");
  const int64_t heads = op.integer(count);
  if (heads < 1) refuse("bad-attribute", std::string(count) + " is " + std::to_string(heads));
  const Dim size = floordiv(x.dim(2), heads);
  op.require_equal(size * heads, x.dim(2), "heads and the last dimension");
  return {x, heads, x.dim(1), size};
}

// Earlier positions in front of those of `now`; also an output where the node has it.
Heads joined(OpContext& op, const Heads& now, int past_input, int output) {
  if (!op.has_input(past_input) && !op.has_output(output)) return now;
  const Dim batch = now.operand.dim(0);
  Dim before = 0;
  if (op.has_input(past_input)) {
    const Operand past = op.input(past_input);
    if (past.rank() != 4) refuse("shape-mismatch", "past keys and values must have rank 4");
    op.require_equal(past.dim(0), batch, "batch of past keys");
    op.require_equal(past.dim(1), now.heads, "heads of past keys");
    op.require_equal(past.dim(3), now.size, "size of past keys");
    before = past.dim(2);
  }
  const Dim length = before + now.length;
  const Shape shape = {batch, now.heads, length, now.size};
  const Operand all = op.has_output(output) ? op.output(output, now.operand.type(), shape)
                                            : op.temporary("joined" + std::to_string(output),
                                                           now.operand.type(), shape);
  op.map(all, [&](const Indices& at) {
    const Expr fresh = now.at(at[0], at[1], at[2] - before, at[3]);
    if (!op.has_input(past_input)) return fresh;
    return Expr::cases({{{{at[2], 0, before}}, op.input(past_input).at(at)}}, fresh);
  });
  return {all, now.heads, length, now.size};
}

void lower(OpContext& op) {
  const Heads q = heads_of(op, 0, "q_num_heads");
  const Heads k_now = heads_of(op, 1, "kv_num_heads"), v_now = heads_of(op, 2, "kv_num_heads");
  const Operand& x = q.operand;
  const Dim batch = x.dim(0);
  for (const Heads& other : {k_now, v_now}) {
    op.require_equal(other.operand.dim(0), batch, "batch");
    op.require_equal(other.heads, k_now.heads, "heads of K and V");
    op.require_equal(other.length, k_now.length, "lengths of K and V");
  }
  op.require_equal(q.size, k_now.size, "head size of Q and K");
  if (!q.heads.is_constant() || !k_now.heads.is_constant())
    refuse("dynamic-shape", "the number of heads is not known before the run");
  const Dim share = floordiv(q.heads, max(k_now.heads, 1));
  op.require_equal(share * k_now.heads, q.heads, "heads of Q and K");
  const Heads k = joined(op, k_now, kPastKey, 1), v = joined(op, v_now, kPastValue, 2);
  const Dim total = k.length, past = total - k_now.length;
  op.require_equal(v.length, total, "lengths of K and V");
  const double softcap = op.real("softcap", 0);
  const int64_t raw_mode = op.integer("qk_matmul_output_mode", 0);
  if (op.has_input(kMask)) {
    require_broadcastable(op, op.input(kMask).shape(), {batch, q.heads, q.length, total},
                          "attn_mask");
  }
  const Type real = x.compute();
  const Operand y = op.output(0, x.type(),
                              x.rank() == 4 ? Shape{batch, q.heads, q.length, v.size}
                                            : Shape{batch, q.length, q.heads * v.size});

  KernelBuilder kernel;
  const Index b = kernel.axis(batch, "batch"), h = kernel.axis(q.heads, "head");
  const Index i = kernel.axis(q.length, "query"), e = kernel.axis(v.size, "element");
  const Index j = kernel.axis(total, "key"), d = kernel.reduce_axis(q.size, "inner");
  const Index kv = floordiv(h, share);
  const Expr product = kernel.reduce(Combiner::sum, {d}, q.at(b, h, i, d) * k.at(b, kv, j, d));
  Expr scale;
  if (op.has("scale")) {
    scale = Expr::constant(real, op.real("scale", 1));
  } else {
    const Expr size = Expr::cast(real, Expr::index(q.size));
    scale = 1.0 / Expr::unary(Unary::sqrt, size);
  }
  const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
  const Expr scaled_product = product * scale;
  // The cap comes first: a masked score must stay infinitely small.
  const Expr capped =
      softcap == 0 ? scaled_product : Expr::unary(Unary::tanh, scaled_product / softcap) * softcap;
  Expr masked = capped;
  if (op.has_input(kMask)) {
    const Expr mask = op.input(kMask).broadcast_at({b, h, i, j});
    masked = mask.type() == Type::boolean ? Expr::select(mask, masked, least)
                                          : masked + in_type(real, mask);
  }
  if (op.integer("is_causal", 0) != 0)
    masked = Expr::cases({{{{i + past - j, 0, i + past - j + 1}}, masked}}, least);
  // A row that is masked everywhere attends to nothing.
  const Expr largest = kernel.reduce(Combiner::max, {j}, masked), zero = Expr::constant(real, 0);
  const Expr none = compare(Binary::eq, largest, least);
  const Expr shift = Expr::select(none, zero, largest);
  const Expr power = Expr::unary(Unary::exp, masked - shift);
  const Expr sum = kernel.reduce(Combiner::sum, {j}, power);
  const Expr weight = Expr::select(none, zero, power / sum);
  const Expr weighted =
      kernel.reduce(Combiner::sum, {j}, weight * in_type(real, v.at(b, kv, j, e)));
  kernel.write(y, x.rank() == 4 ? Indices{b, h, i, e} : Indices{b, i, h * v.size + e}, weighted);
  if (op.has_output(3)) {
    const Operand raw = op.output(3, x.type(), {batch, q.heads, q.length, total});
    const Expr value = raw_mode == 3 ? weight : raw_mode == 2 ? masked : capped;
    kernel.write(raw, {b, h, i, j}, value);
  }
  op.emit(kernel);
}

}  // namespace

OpDef op_attention() {
  return {.name = "Attention",
          .since = 23,
          .inputs = {{"Q", types::floats},
                     {"K", types::floats},
                     {"V", types::floats},
                     {"attn_mask", types::numeric | types::boolean, Arity::optional},
                     {"past_key", types::floats, Arity::optional},
                     {"past_value", types::floats, Arity::optional}},
          .outputs = {{"Y"},
                      {"present_key", types::floats, Arity::optional},
                      {"present_value", types::floats, Arity::optional},
                      {"qk_matmul_output", types::floats, Arity::optional}},
          .attributes = {{"is_causal", AttributeKind::integer},
                         {"kv_num_heads", AttributeKind::integer},
                         {"q_num_heads", AttributeKind::integer},
                         {"qk_matmul_output_mode", AttributeKind::integer},
                         {"scale", AttributeKind::real},
                         {"softcap", AttributeKind::real},
                         {"softmax_precision", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin
