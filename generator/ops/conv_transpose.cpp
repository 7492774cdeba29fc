// ConvTranspose: the adjoint of Conv as a gather. Output o takes tap k of input (o + pad -
// k*dilation) / stride where that is a whole number inside the input: guards with a congruence, and
// the sum stays one contraction over channels and taps.
#include "ops/api/core/op_def.h"
#include "ops/api/core/size_facts.h"
#include "ops/api/math/convolution.h"
#include "ops/api/math/sliding_window.h"
#include "support/diagnostics.h"

namespace burin::conv_transpose_op {
namespace {

constexpr int64_t kMost = int64_t{1} << 31;

std::vector<int64_t> optional_list(const OpContext& op, std::string_view name, size_t count) {
  const std::vector<int64_t> list = op.integers(name, std::vector<int64_t>(count, 0));
  if (list.size() < count) {
    refuse("bad-attribute", std::string(name) + " has " + std::to_string(list.size()) +
                                " entries, not " + std::to_string(count));
  }
  for (const int64_t entry : list) {
    if (entry < 0 || entry > kMost)
      refuse("bad-attribute", std::string(name) + " has the entry " + std::to_string(entry));
  }
  return {list.end() - static_cast<std::ptrdiff_t>(count), list.end()};
}

// Strides, dilations and padding of the convolution that this is the adjoint of; `output` is ours.
Window transposed_window(OpContext& op, const Shape& input, const Shape& size) {
  const size_t count = input.size();
  const std::vector<int64_t> strides = spatial_list(op, "strides", count);
  const std::vector<int64_t> dilations = spatial_list(op, "dilations", count);
  const std::vector<int64_t> extra = optional_list(op, "output_padding", count);
  const std::vector<int64_t> wanted = optional_list(op, "output_shape", count);
  const std::string auto_pad = op.text("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID" && !auto_pad.empty())
    refuse("bad-attribute", "auto_pad is " + quoted(auto_pad));
  std::vector<int64_t> pads = spatial_pads(op, count);
  if (auto_pad == "VALID") pads.assign(2 * count, 0);

  Window window;
  for (size_t d = 0; d < count; ++d) {
    WindowAxis axis{input[d], 0, size[d], strides[d], dilations[d], pads[d], pads[count + d]};
    const Dim reach = (axis.size - 1) * axis.dilation + 1;
    const Dim full = (axis.input - 1) * axis.stride + reach + extra[d];
    if (same || op.has("output_shape")) {
      axis.output = op.has("output_shape") ? Dim(wanted[d]) : axis.input * axis.stride;
      const Dim all = max(full - axis.output, 0), half = floordiv(all, 2);
      axis.before = auto_pad == "SAME_UPPER" ? half : all - half;
    } else {
      axis.output = full - axis.before - axis.after;
    }
    require_nonnegative(op, axis.output, "extent of the output");
    window.axes.push_back(std::move(axis));
  }
  return window;
}

void lower(OpContext& op) {
  const Operand x = op.input(0), w = op.input(1);
  const Shape input = spatial_shape(x);
  if (x.type() != w.type() || (op.has_input(2) && op.input(2).type() != x.type()))
    refuse("type-mismatch", "X, W and B must have one type");
  if (w.rank() != x.rank()) {
    refuse("shape-mismatch", "the weights have rank " + std::to_string(w.rank()) +
                                 ", the input has " + std::to_string(x.rank()));
  }
  check_kernel_shape(op, w);
  const int64_t group = group_of(op);
  const Dim channels = floordiv(w.dim(0), group), features = w.dim(1);
  op.require_equal(w.dim(0), channels * group, "input channels and group");
  op.require_equal(x.dim(1), w.dim(0), "input channels");
  const Window window = transposed_window(op, input, Shape(w.shape().begin() + 2, w.shape().end()));
  Shape shape = {x.dim(0), features * group};
  for (const WindowAxis& axis : window.axes) shape.push_back(axis.output);
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(2)) bias = bias_reader(op, 2, shape[1]);
  const Operand y = op.output(0, x.type(), shape);

  KernelBuilder kernel;
  const Index n = kernel.axis(x.dim(0), "batch"), g = kernel.axis(group, "group");
  const Index m = kernel.axis(features, "feature");
  const Indices o = kernel.axes(window.output());
  Indices reduced = {kernel.reduce_axis(channels, "channel")};
  const Index c = g * channels + reduced[0];
  Indices from = {n, c}, weight = {c, m}, to = {n, g * features + m};
  Guard guard;
  for (size_t d = 0; d < o.size(); ++d) {
    const WindowAxis& axis = window.axes[d];
    const Index tap = kernel.reduce_axis(axis.size, "tap");
    const Index spread = o[d] + axis.before - tap * axis.dilation;
    const Index place = floordiv(spread, axis.stride);
    guard.push_back({mod(spread, axis.stride), 0, 1});
    guard.push_back({place, 0, axis.input});
    reduced.push_back(tap);
    from.push_back(place);
    weight.push_back(tap);
    to.push_back(o[d]);
  }
  const Expr padded = Expr::cases({{guard, x.at(from)}}, x.zero());
  const Expr sum = kernel.reduce(Combiner::sum, reduced, padded * w.at(weight));
  kernel.write(y, to, bias ? sum + bias(to) : sum);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  OpDef def{
      .name = "ConvTranspose",
      .inputs = {{"X", types::floats}, {"W", types::floats}, {"B", types::floats, Arity::optional}},
      .outputs = {{"Y"}},
      .attributes = convolution_attributes(),
      .lower = lower};
  def.attributes.push_back({"output_padding", AttributeKind::integers});
  def.attributes.push_back({"output_shape", AttributeKind::integers});
  return def;
}

}  // namespace burin::conv_transpose_op
