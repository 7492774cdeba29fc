// BatchNormalization: y = x*A + B with A = scale / sqrt(var + epsilon) and B = bias - mean*A, per
// channel (per feature where spatial is 0, until opset 8), which folds into a convolution before
// it. Training (training_mode since opset 14, more than one output before) normalises with the
// moments of the batch and gives the updated running ones.
#include <algorithm>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::batch_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  const bool spatial = op.version() >= 9 || op.integer("spatial", 1) != 0;
  // The dimension of X that each dimension of a parameter is.
  std::vector<int> dims;
  for (int d = 1; d < (spatial ? std::min(x.rank(), 2) : x.rank()); ++d) dims.push_back(d);
  Shape extents;
  for (const int d : dims) extents.push_back(x.dim(d));
  if (dims.empty()) extents.push_back(1);  // [N] has one channel
  for (int i = 1; i < 5; ++i) {
    const Operand parameter = op.input(i);
    if (parameter.rank() != static_cast<int>(extents.size())) {
      refuse("shape-mismatch", "a parameter has shape " + to_string(parameter.shape()) +
                                   ", it needs " + to_string(extents));
    }
    for (size_t d = 0; d < extents.size(); ++d)
      op.require_equal(parameter.shape()[d], extents[d], "channels of a parameter");
  }
  const double epsilon = op.real("epsilon", 1e-5), momentum = op.real("momentum", 0.9);
  const bool training =
      op.version() >= 14 ? op.integer("training_mode", 0) != 0 : op.output_count() > 1;
  const Operand y = op.output(0, x.type(), x.shape());
  const Type real = x.compute();

  KernelBuilder kernel;
  Indices at, channel, row;
  Dim count = 1;
  for (int d = 0; d < x.rank(); ++d) {
    at.push_back(kernel.axis(x.dim(d)));
    if (std::find(dims.begin(), dims.end(), d) != dims.end()) {
      channel.push_back(at.back());
    } else {
      row.push_back(at.back());
      count = count * x.dim(d);
    }
  }
  if (dims.empty()) channel.push_back(0);
  const auto parameter = [&](int i) { return in_type(real, op.input(i).at(channel)); };
  Expr mean = parameter(3), variance = parameter(4);
  if (training) {
    const Expr n = Expr::cast(real, Expr::index(count));
    mean = kernel.reduce(Combiner::sum, row, x.at(at)) / n;
    const Expr centred = x.at(at) - mean;
    variance = kernel.reduce(Combiner::sum, row, centred * centred) / n;
    const auto blend = [&](int i, const Expr& current) {
      return parameter(i) * momentum + current * (1 - momentum);
    };
    for (int i = 1; i < op.output_count(); ++i) {
      if (!op.has_output(i)) continue;
      const Expr current = i % 2 ? mean : variance;
      const Operand to = op.output(i, op.input(i % 2 ? 3 : 4).type(), extents);
      kernel.write(to, channel,
                   in_type(to.compute(), i < 3 ? blend(i % 2 ? 3 : 4, current) : current));
    }
  } else {
    for (int i = 1; i < op.output_count(); ++i) {
      if (op.has_output(i)) op.forward(i, op.input(i % 2 ? 3 : 4));
    }
  }
  const Expr scale = parameter(1) / Expr::unary(Unary::sqrt, variance + epsilon);
  kernel.write(y, at, x.at(at) * scale + (parameter(2) - mean * scale));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "BatchNormalization",
          .inputs = {{"X", types::floats},
                     {"scale", types::floats},
                     {"B", types::floats},
                     {"mean", types::floats, Arity::required, until(13)},
                     {"var", types::floats, Arity::required, until(13)},
                     {"input_mean", types::floats, Arity::required, since(14)},
                     {"input_var", types::floats, Arity::required, since(14)}},
          .outputs = {{"Y"},
                      {"mean", types::floats, Arity::optional, until(13)},
                      {"var", types::floats, Arity::optional, until(13)},
                      {"saved_mean", types::floats, Arity::optional, until(13)},
                      {"saved_var", types::floats, Arity::optional, until(13)},
                      {"running_mean", types::floats, Arity::optional, since(14)},
                      {"running_var", types::floats, Arity::optional, since(14)}},
          .attributes = {{"epsilon", AttributeKind::real},
                         {"momentum", AttributeKind::real},
                         {"spatial", AttributeKind::integer, false, until(8)},
                         {"is_test", AttributeKind::integer, false, until(6)},
                         {"training_mode", AttributeKind::integer, false, since(14)},
                         {"consumed_inputs", AttributeKind::integers, true, until(5)}},
          .lower = lower};
}

}  // namespace burin::batch_normalization_op
