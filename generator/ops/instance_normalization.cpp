// InstanceNormalization: every channel of every instance normalised over its spatial dimensions,
// then scaled and shifted.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::instance_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), scale = op.input(1), shift = op.input(2);
  if (x.rank() < 3) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  for (const Operand& list : {scale, shift}) {
    if (list.rank() != 1) refuse("shape-mismatch", "scale and B must have one dimension");
    op.require_equal(list.dim(0), x.dim(1), "channels of scale and B");
  }
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Indices row(at.begin() + 2, at.end());
  const Dim count = product(Shape(x.shape().begin() + 2, x.shape().end()));
  const Moments moments = moments_of(kernel, row, x.at(at), count);
  const Expr factor = inverse_root(moments.variance, op.real("epsilon", 1e-5)) *
                      in_type(y.compute(), scale.at({at[1]}));
  kernel.write(y, at, (x.at(at) - moments.mean) * factor + in_type(y.compute(), shift.at({at[1]})));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "InstanceNormalization",
          .inputs = {{"input", types::floats}, {"scale", types::floats}, {"B", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"epsilon", AttributeKind::real},
                         {"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin::instance_normalization_op
