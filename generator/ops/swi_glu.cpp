// SwiGLU: A * sigmoid(alpha * A) * B, of two tensors of one shape. Since opset 28.
#include "ops/api/core/op_def.h"
#include "ops/api/math/activation.h"
#include "support/diagnostics.h"

namespace burin::swi_glu_op {
namespace {

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1);
  const double alpha = op.real("alpha", 1);
  if (a.type() != b.type()) refuse("type-mismatch", "A and B must have one type");
  if (a.rank() != b.rank()) refuse("shape-mismatch", "A and B must have one shape");
  for (int d = 0; d < a.rank(); ++d) op.require_equal(b.dim(d), a.dim(d), "shapes of A and B");
  op.map(op.output(0, a.type(), a.shape()), [&](const Indices& at) {
    const Expr gate = a.at(at);
    return gate * sigmoid(gate * alpha) * b.at(at);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "SwiGLU",
          .since = 28,
          .inputs = {{"A", types::floats}, {"B", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"alpha", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::swi_glu_op
