// Bernoulli: 1 with the probability that the input gives, 0 otherwise. The same draws in each run,
// from the attribute seed or the place of the node (ops/api/layers/random.h). Since opset 15.
#include "ops/api/core/declared_draws.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/layers/random.h"

namespace burin::bernoulli_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type type = op.has("dtype") ? type_of_onnx(op.integer("dtype")) : x.type();
  const uint64_t key = random_key(op);
  const Operand y = op.output(0, type, x.shape());
  draws_of(op).drawn(0, Distribution{DrawKind::bernoulli, 0, 0, x.value()});
  op.map(y, [&](const Indices& at) {
    const Expr drawn = random_uniform(x.compute(), key, element_number(at, x.shape()));
    return Expr::select(compare(Binary::lt, drawn, x.at(at)), y.constant(1), y.zero());
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Bernoulli",
          .since = 15,
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer}, {"seed", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::bernoulli_op
