// ai.onnx.preview FlexAttention: softmax(scale * Q K') V per head, where a nested graph changes the
// scores, and another one what the softmax gives. Several query heads may share a key head.
#include <limits>

#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::flex_attention_op {
namespace {

// What the nested graph `name` makes of `x`; x itself where there is none.
Operand modified(OpContext& op, const char* name, const Operand& x) {
  if (!op.has(name)) return x;
  const Block& block = op.block(name);
  if (block.inputs.size() != 1 || block.outputs.size() != 1)
    refuse("arity", std::string(name) + " must have one input and one output");
  const Operand y = op.inline_block(block, {x})[0];
  if (y.tuple() || y.type() != x.type() || y.rank() != x.rank())
    refuse("shape-mismatch", std::string(name) + " must keep type and shape");
  for (int d = 0; d < x.rank(); ++d)
    op.require_equal(y.dim(d), x.dim(d), std::string("shape that ") + name + " gives");
  return y;
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2});
  for (int i = 0; i < 3; ++i) {
    if (op.input(i).rank() != 4) refuse("shape-mismatch", "Q, K and V must have rank 4");
  }
  const Operand q = op.input(0), k = op.input(1), v = op.input(2);
  for (const Operand& other : {k, v}) op.require_equal(other.dim(0), q.dim(0), "batch");
  op.require_equal(v.dim(1), k.dim(1), "heads of K and V");
  op.require_equal(v.dim(2), k.dim(2), "lengths of K and V");
  op.require_equal(k.dim(3), q.dim(3), "head size of Q and K");
  if (!q.dim(1).is_constant() || !k.dim(1).is_constant())
    refuse("dynamic-shape", "the number of heads is not known before the run");
  const Dim share = floordiv(q.dim(1), max(k.dim(1), 1));
  op.require_equal(share * k.dim(1), q.dim(1), "heads of Q and K");
  const Type real =
      op.has("softmax_precision") ? type_of_onnx(op.integer("softmax_precision")) : q.compute();
  if (!types::floats.contains(real)) refuse("bad-attribute", "softmax_precision is no float type");
  const Expr scale = attention_scale(op, q.compute(), q.dim(3));
  const Operand scores = op.temporary("scores", real, {q.dim(0), q.dim(1), q.dim(2), k.dim(2)});
  KernelBuilder product;
  const Indices at = product.axes(scores.shape());
  const Index d = product.reduce_axis(q.dim(3), "inner");
  const Expr sum = product.reduce(
      Combiner::sum, {d},
      q.at({at[0], at[1], at[2], d}) * k.at({at[0], floordiv(at[1], share), at[3], d}));
  product.write(scores, at, in_type(scores.compute(), sum * scale));
  op.emit(product);

  const Operand changed = modified(op, "score_mod", scores);
  const Operand weights = op.temporary("weights", real, scores.shape());
  KernelBuilder softmax;
  const Indices to = softmax.axes(scores.shape());
  const Index key = softmax.reduce_axis(k.dim(2), "key");
  const Expr least = Expr::constant(changed.compute(), -std::numeric_limits<double>::infinity());
  const Expr zero = changed.zero();
  const Expr largest = softmax.reduce(Combiner::max, {key}, changed.at({to[0], to[1], to[2], key}));
  const Expr none = compare(Binary::eq, largest, least);
  const auto power = [&](const Index& j) {
    return Expr::unary(Unary::exp,
                       changed.at({to[0], to[1], to[2], j}) - Expr::select(none, zero, largest));
  };
  const Expr total = softmax.reduce(Combiner::sum, {key}, power(key));
  softmax.write(weights, to, Expr::select(none, zero, power(to[3]) / total));
  op.emit(softmax);

  const Operand chosen = modified(op, "prob_mod", weights);
  const Operand y = op.output(0, q.type(), {q.dim(0), q.dim(1), q.dim(2), v.dim(3)});
  KernelBuilder values;
  const Indices out = values.axes(y.shape());
  const Index j = values.reduce_axis(k.dim(2), "key");
  const Expr result =
      values.reduce(Combiner::sum, {j},
                    in_type(y.compute(), chosen.at({out[0], out[1], out[2], j})) *
                        in_type(y.compute(), v.at({out[0], floordiv(out[1], share), j, out[3]})));
  values.write(y, out, result);
  op.emit(values);
}

}  // namespace

OpDef definition() {
  return {.name = "FlexAttention",
          .domain = "ai.onnx.preview",
          .inputs = {{"Q", types::floats}, {"K", types::floats}, {"V", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"prob_mod", AttributeKind::block},
                         {"scale", AttributeKind::real},
                         {"score_mod", AttributeKind::block},
                         {"softmax_precision", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::flex_attention_op
