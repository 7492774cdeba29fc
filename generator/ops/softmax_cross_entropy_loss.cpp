// SoftmaxCrossEntropyLoss: the negative log-likelihood of log softmax along dimension 1, which is
// the optional second output. Since opset 12.
#include "ops/api/layers/loss.h"

namespace burin::softmax_cross_entropy_loss_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  normalize_axis(1, x.rank());
  const Operand log_prob = op.has_output(1) ? op.output(1, x.type(), x.shape())
                                            : op.temporary("log_prob", x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape()), row = {at[1]};
  const Expr largest = kernel.reduce(Combiner::max, row, x.at(at));
  const Expr shifted = x.at(at) - largest;
  const Expr sum = kernel.reduce(Combiner::sum, row, Expr::unary(Unary::exp, shifted));
  kernel.write(log_prob, at, shifted - Expr::unary(Unary::log, sum));
  op.emit(kernel);
  map_class_loss(op, log_prob);
}

}  // namespace

OpDef definition() {
  return {.name = "SoftmaxCrossEntropyLoss",
          .since = 12,
          .inputs = {{"scores", types::floats},
                     {"labels", types::indices},
                     {"weights", types::floats, Arity::optional}},
          .outputs = {{"output"}, {"log_prob", types::floats, Arity::optional}},
          .attributes = class_loss_attributes(),
          .lower = lower};
}

}  // namespace burin::softmax_cross_entropy_loss_op
