// Multinomial: sample_size draws of a class per row, whose probabilities are the softmax of the row
// (Gumbel's trick: the class with the largest of score - log(-log(uniform))). The same draws in
// each run, from the attribute seed or the place of the node (ops/api/layers/random.h). Since
// opset 7.
#include "ops/api/core/declared_draws.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/layers/random.h"
#include "support/diagnostics.h"

namespace burin::multinomial_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 2) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  const int64_t count = op.integer("sample_size", 1);
  if (count < 0) refuse("bad-attribute", "sample_size is " + std::to_string(count));
  const Type type = op.has("dtype") ? type_of_onnx(op.integer("dtype")) : Type::i32;
  if (!types::indices.contains(type)) refuse("bad-attribute", "dtype is neither int32 nor int64");
  op.require({{x.dim(1), 1, x.dim(1) + 1}}, "number of classes");
  const uint64_t key = random_key(op);
  const Operand y = op.output(0, type, {x.dim(0), count});
  draws_of(op).drawn(0, Distribution{DrawKind::classes, 0, 0, x.value()});
  KernelBuilder kernel;
  const Index row = kernel.axis(x.dim(0)), draw = kernel.axis(count);
  const Index which = kernel.reduce_axis(x.dim(1), "class");
  const Expr element = element_number({row, draw, which}, {x.dim(0), count, x.dim(1)});
  const Expr uniform = 1.0 - random_uniform(x.compute(), key, element);  // never 0
  // Between 0 and 1, so that both logarithms are finite.
  const Expr inside =
      min(uniform, x.constant(x.compute() == Type::f64 ? 1 - 0x1p-53 : 1 - 0x1p-24));
  const Expr noise = -Expr::unary(Unary::log, -Expr::unary(Unary::log, inside));
  const std::vector<Expr> best = kernel.reduce_tuple(
      Combiner::first_max, {which}, {x.at({row, which}) + noise, Expr::index(which)});
  kernel.write(y, {row, draw}, Expr::cast(type, best[1]));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "Multinomial",
          .since = 7,
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer},
                         {"sample_size", AttributeKind::integer},
                         {"seed", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::multinomial_op
