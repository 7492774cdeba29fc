// MeanVarianceNormalization: (x - mean) / (deviation + 1e-9) over the given axes, which are batch
// and spatial dimensions unless given. Since opset 9.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"

namespace burin::mean_variance_normalization_op {
namespace {

constexpr double kEpsilon = 1e-9;  // the specification's

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const std::vector<int> axes = normalize_axes(op.integers("axes", {0, 2, 3}), x.rank());
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  Indices row;
  Dim count = 1;
  for (const int axis : axes) {
    row.push_back(at[static_cast<size_t>(axis)]);
    count = count * x.dim(axis);
  }
  const Moments moments = moments_of(kernel, row, x.at(at), count);
  const Expr deviation = Expr::unary(Unary::sqrt, moments.variance);
  kernel.write(y, at, (x.at(at) - moments.mean) / (deviation + kEpsilon));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "MeanVarianceNormalization",
          .since = 9,
          .inputs = {{"X", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"axes", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::mean_variance_normalization_op
