// LinearAttention: per head a state S of d_k rows and d_v columns, which every step changes, and a
// query that is multiplied with it (scale * q' S). By update_rule
//     linear       S + k v'
//     gated        exp(g) S + k v'
//     delta        S + beta k (v - S' k)'
//     gated_delta  exp(g) S + beta k (v - (exp(g) S)' k)'
// Heads are parts of the last dimension of [batch, length, heads * size]. Since opset 27.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::linear_attention_op {
namespace {

constexpr int kPast = 3, kDecay = 4, kBeta = 5;

// A factor of every step and head: [batch, length, columns], where the columns are those of the
// heads, one for each head, or one for all.
std::function<Expr(const Index& b, const Index& h, const Index& t, const Index& i)> factor_of(
    OpContext& op, int input, const Heads& k, bool by_row, std::string_view what) {
  const Operand x = op.input(input);
  if (x.rank() != 3) refuse("shape-mismatch", std::string(what) + " must have rank 3");
  op.require_equal(x.dim(0), k.batch, std::string("batch of ") + std::string(what));
  op.require_equal(x.dim(1), k.length, std::string("length of ") + std::string(what));
  if (x.dim(2) == k.heads)
    return [x](const Index& b, const Index& h, const Index& t, const Index&) {
      return x.at({b, t, h});
    };
  if (by_row) {
    op.require_equal(x.dim(2), k.heads * k.size, std::string("columns of ") + std::string(what));
    return [x, size = k.size](const Index& b, const Index& h, const Index& t, const Index& i) {
      return x.at({b, t, h * size + i});
    };
  }
  op.require_equal(x.dim(2), 1, std::string("columns of ") + std::string(what));
  return [x](const Index& b, const Index&, const Index& t, const Index&) {
    return x.at({b, t, 0});
  };
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2, 4, 5});
  const std::string rule = op.text("update_rule", "gated_delta");
  const bool gated = rule == "gated" || rule == "gated_delta";
  const bool delta = rule == "delta" || rule == "gated_delta";
  if (rule != "linear" && !gated && !delta)
    refuse("bad-attribute",
           "update_rule is " + quoted(rule) + "; linear, gated, delta and gated_delta exist");
  if (gated && !op.has_input(kDecay)) refuse("arity", "input 'decay' is missing: " + rule);
  if (delta && !op.has_input(kBeta)) refuse("arity", "input 'beta' is missing: " + rule);
  for (int i = 0; i < 3; ++i) {
    if (op.input(i).rank() != 3) refuse("shape-mismatch", "query, key and value must have rank 3");
  }
  const int64_t heads = head_count(op, "q_num_heads"), kept = head_count(op, "kv_num_heads");
  if (heads % kept != 0) refuse("bad-attribute", "q_num_heads is no multiple of kv_num_heads");
  const Heads q = heads_in_columns(op, op.input(0), heads),
              k = heads_in_columns(op, op.input(1), kept),
              v = heads_in_columns(op, op.input(2), kept);
  for (const Heads& other : {k, v}) {
    op.require_equal(other.batch, q.batch, "batch");
    op.require_equal(other.length, q.length, "length");
  }
  op.require_equal(q.size, k.size, "head size of query and key");
  const Type type = op.input(0).type(), real = op.input(0).compute();
  const Shape shape = {q.batch, kept, k.size, v.size};
  if (op.has_input(kPast)) {
    if (op.input(kPast).compute() != real)
      refuse("type-mismatch", "past_state is not of the type that is computed in");
    if (op.input(kPast).rank() != 4) refuse("shape-mismatch", "past_state must have rank 4");
    for (int d = 0; d < 4; ++d)
      op.require_equal(op.input(kPast).dim(d), shape[static_cast<size_t>(d)],
                       "shape of past_state");
  }
  const auto decay = gated ? factor_of(op, kDecay, k, true, "decay") : nullptr;
  const auto beta = delta ? factor_of(op, kBeta, k, false, "beta") : nullptr;
  const Type state_type = op.has_input(kPast) ? op.input(kPast).type() : type;

  // All states, one after the other: the step is their sequential axis.
  const Operand states = op.temporary("states", real, {q.batch, kept, q.length, k.size, v.size});
  KernelBuilder kernel;
  const Index b = kernel.axis(q.batch, "batch"), h = kernel.axis(kept, "head");
  const Index t = kernel.axis(q.length, "step", AxisKind::sequential);
  const Index i = kernel.axis(k.size, "row"), j = kernel.axis(v.size, "column");
  const auto initial = [&](const Index& row) {
    return op.has_input(kPast) ? in_type(real, op.input(kPast).at({b, h, row, j}))
                               : Expr::constant(real, 0);
  };
  const Index other = delta ? kernel.reduce_axis(k.size, "other row") : Index(0);
  const int state = kernel.next_let() + (delta ? 1 : 0);
  // The state that step t starts from, decayed.
  const auto before = [&](const Index& row) {
    Expr old = initial(row);
    if (!t.is_constant()) {
      Indices at;
      for (const Index& axis : {b, h, t - 1, row, j}) {
        if (!axis.is_constant()) at.push_back(axis);
      }
      old = Expr::cases({{{{t, 1, q.length}}, Expr::let(state, real, at)}}, old);
    }
    return gated ? Expr::unary(Unary::exp, decay(b, h, t, row)) * old : old;
  };
  Expr added = v.at(b, h, t, j);
  if (delta) {
    const Expr found = kernel.reduce(Combiner::sum, {other}, before(other) * k.at(b, h, t, other));
    added = beta(b, h, t, 0) * (added - found);
  }
  Indices over;
  for (const Index& axis : {b, h, t, i, j}) {
    if (!axis.is_constant()) over.push_back(axis);
  }
  const Expr next = kernel.let(over, before(i) + k.at(b, h, t, i) * added);
  kernel.write(states, {b, h, t, i, j}, next);
  op.emit(kernel);

  const Operand y = op.output(0, type, {q.batch, q.length, Dim(heads) * v.size});
  const Expr scale = attention_scale(op, real, k.size, true);
  KernelBuilder product;
  const Index pb = product.axis(q.batch), pt = product.axis(q.length), ph = product.axis(heads),
              pe = product.axis(v.size), row = product.reduce_axis(k.size);
  const Expr sum = product.reduce(
      Combiner::sum, {row},
      q.at(pb, ph, pt, row) * states.at({pb, floordiv(ph, heads / kept), pt, row, pe}));
  product.write(y, {pb, pt, ph * v.size + pe}, sum * scale);
  op.emit(product);
  if (op.has_output(1)) {
    op.map(op.output(1, state_type, shape), [&](const Indices& at) {
      return states.at({at[0], at[1], q.length - 1, at[2], at[3]});
    });
  }
}

}  // namespace

OpDef definition() {
  return {.name = "LinearAttention",
          .since = 27,
          .inputs = {{"query", types::floats},
                     {"key", types::floats},
                     {"value", types::floats},
                     {"past_state", types::floats, Arity::optional},
                     {"decay", types::floats, Arity::optional},
                     {"beta", types::floats, Arity::optional}},
          .outputs = {{"output"}, {"present_state"}},
          .attributes = {{"chunk_size", AttributeKind::integer},
                         {"kv_num_heads", AttributeKind::integer, true},
                         {"q_num_heads", AttributeKind::integer, true},
                         {"scale", AttributeKind::real},
                         {"update_rule", AttributeKind::text}},
          .lower = lower};
}

}  // namespace burin::linear_attention_op
