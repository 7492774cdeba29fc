#include "ops/api/math/convolution.h"

#include "ops/api/math/sliding_window.h"
#include "support/diagnostics.h"

namespace burin {

int64_t group_of(const OpContext& op) {
  const int64_t group = op.integer("group", 1);
  if (group < 1) refuse("bad-attribute", "group is " + std::to_string(group));
  return group;
}

void check_kernel_shape(OpContext& op, const Operand& w) {
  if (!op.has("kernel_shape")) return;
  const Shape given = kernel_shape(op, static_cast<size_t>(w.rank()) - 2);
  for (size_t d = 0; d < given.size(); ++d)
    op.require_equal(given[d], w.shape()[d + 2], "kernel_shape and the weights");
}

std::function<Expr(const Indices&)> bias_reader(OpContext& op, int input, const Dim& channels) {
  const Operand b = op.input(input);
  if (b.rank() != 1) refuse("shape-mismatch", "the bias must have one dimension");
  op.require_equal(b.dim(0), channels, "length of the bias");
  return [b](const Indices& at) { return b.at({at[1]}); };
}

void map_convolution(OpContext& op, const Factor& x_factor, const Factor& w_factor, Type result,
                     const Epilogue& finish, bool channels_last) {
  const Operand &x = x_factor.operand, &w = w_factor.operand;
  const Shape input = spatial_shape(x);
  if (w.rank() != x.rank()) {
    refuse("shape-mismatch", "the weights have rank " + std::to_string(w.rank()) +
                                 ", the input has " + std::to_string(x.rank()));
  }
  check_kernel_shape(op, w);
  const int64_t group = group_of(op);
  const Dim channels = w.dim(1), features = floordiv(w.dim(0), group);
  op.require_equal(x.dim(1), channels * group, "input channels");
  op.require_equal(w.dim(0), features * group, "output channels and group");
  const Window window = window_of(op, input, Shape(w.shape().begin() + 2, w.shape().end()));
  Shape shape = {x.dim(0), w.dim(0)};
  for (const WindowAxis& axis : window.axes) shape.push_back(axis.output);
  const Operand y = op.output(0, result, channels_last ? with_channels_last(shape) : shape);

  KernelBuilder kernel;
  const Index n = kernel.axis(x.dim(0), "batch"), g = kernel.axis(group, "group");
  const Index m = kernel.axis(features, "feature");
  const Indices o = kernel.axes(window.output());
  Indices reduced = {kernel.reduce_axis(channels, "channel")}, taps;
  for (const WindowAxis& axis : window.axes) taps.push_back(kernel.reduce_axis(axis.size, "tap"));
  const Index c = reduced[0], feature = g * features + m;
  reduced.insert(reduced.end(), taps.begin(), taps.end());

  const Indices place = window.at(o, taps);
  Indices from = {n, g * channels + c}, weight = {feature, c}, to = {n, feature};
  from.insert(from.end(), place.begin(), place.end());
  weight.insert(weight.end(), taps.begin(), taps.end());
  to.insert(to.end(), o.begin(), o.end());
  const Expr element = x_factor.at(from);
  const Expr padded =
      Expr::cases({{window.inside(place), element}}, Expr::constant(element.type(), 0));
  const Expr sum = kernel.reduce(Combiner::sum, reduced, padded * w_factor.at(weight));
  kernel.write(y, channels_last ? with_channels_last(to) : to, finish(sum, to));
  op.emit(kernel);
}

std::vector<AttributeDef> convolution_attributes() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"group", AttributeKind::integer});
  return attributes;
}

}  // namespace burin
