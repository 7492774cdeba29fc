// DeformConv: a convolution whose taps lie beside their places by offsets that are data, read by
// linear interpolation (zero outside), and weighted by a mask. Channels share offsets in groups.
// Any number of spatial dimensions. Since opset 19.
#include "ops/api/core/op_def.h"
#include "ops/api/math/convolution.h"
#include "ops/api/math/sliding_window.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::deform_conv_op {
namespace {

// Around a place along one dimension: the coordinate below it and the weight of the next.
struct Between {
  Index low;
  Expr weight;
};

// Two outside on either side are followed, so that no neighbour is taken for another.
Between between(const Expr& place, const Dim& extent) {
  const Expr floor = Expr::unary(Unary::floor, place);
  const Expr low = max(floor, Expr::constant(place.type(), -2));
  const Expr whole = Expr::cast(Type::i64, min(low, Expr::cast(place.type(), Expr::index(extent))));
  return {Index::data(whole.ptr(), {-2, extent.range().hi}), place - floor};
}

Expr interpolated(const Operand& x, const std::vector<Between>& places, size_t number,
                  Indices& from, Type real) {
  if (number == places.size()) {
    Guard inside;
    for (size_t d = 2; d < from.size(); ++d) inside.push_back({from[d], 0, x.shape()[d]});
    const Expr zero = Expr::constant(real, 0);
    return Expr::cases({{inside, Expr::cast(real, x.at(from))}}, zero);
  }
  const Between& place = places[number];
  from[number + 2] = place.low;
  const Expr low = interpolated(x, places, number + 1, from, real);
  from[number + 2] = place.low + 1;
  const Expr high = interpolated(x, places, number + 1, from, real);
  return low * (1.0 - place.weight) + high * place.weight;
}

// The channel of `offset` or `mask` for tap `taps` and component `part` of `parts`.
Index channel_of(const Index& group, const Indices& taps, const Window& window, int64_t part,
                 int64_t parts) {
  Index channel = group;
  for (size_t d = 0; d < taps.size(); ++d) channel = channel * window.axes[d].size + taps[d];
  return channel * parts + part;
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2, 3, 4});
  const Operand x = op.input(0), w = op.input(1), offset = op.input(2);
  const Shape input = spatial_shape(x);
  const auto count = static_cast<int64_t>(input.size());
  for (const int i : {1, 2, 4}) {
    if (!op.has_input(i)) continue;
    if (op.input(i).rank() != x.rank()) {
      refuse("shape-mismatch", "input " + std::to_string(i) + " has rank " +
                                   std::to_string(op.input(i).rank()) + ", X has " +
                                   std::to_string(x.rank()));
    }
  }
  check_kernel_shape(op, w);
  const int64_t group = group_of(op), shares = op.integer("offset_group", 1);
  if (shares < 1) refuse("bad-attribute", "offset_group is " + std::to_string(shares));
  const Dim channels = w.dim(1), features = floordiv(w.dim(0), group);
  op.require_equal(x.dim(1), channels * group, "input channels");
  op.require_equal(w.dim(0), features * group, "output channels and group");
  const Dim share = floordiv(x.dim(1), shares);
  op.require_equal(share * shares, x.dim(1), "input channels and offset_group");
  const Window window = window_of(op, input, Shape(w.shape().begin() + 2, w.shape().end()));
  const Dim taps_in_all = product(window.size());
  const auto check = [&](int i, const Dim& per_tap) {
    const Operand given = op.input(i);
    op.require_equal(given.dim(0), x.dim(0), "batch of the offsets");
    op.require_equal(given.dim(1), taps_in_all * shares * per_tap, "channels of the offsets");
    for (size_t d = 0; d < window.axes.size(); ++d)
      op.require_equal(given.shape()[d + 2], window.axes[d].output, "extent of the offsets");
  };
  check(2, count);
  if (op.has_input(4)) check(4, 1);
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(3)) bias = bias_reader(op, 3, w.dim(0));
  Shape shape = {x.dim(0), w.dim(0)};
  for (const WindowAxis& axis : window.axes) shape.push_back(axis.output);
  const Operand y = op.output(0, x.type(), shape);

  const Type real = x.compute();
  KernelBuilder kernel;
  const Index n = kernel.axis(x.dim(0), "batch"), g = kernel.axis(group, "group");
  const Index m = kernel.axis(features, "feature");
  const Indices o = kernel.axes(window.output());
  Indices reduced = {kernel.reduce_axis(channels, "channel")}, taps;
  for (const WindowAxis& axis : window.axes) taps.push_back(kernel.reduce_axis(axis.size, "tap"));
  const Index c = reduced[0], feature = g * features + m, channel = g * channels + c;
  reduced.insert(reduced.end(), taps.begin(), taps.end());
  const Index shared = floordiv(channel, max(share, 1));

  const auto given = [&](int i, const Index& which) {
    Indices at = {n, which};
    at.insert(at.end(), o.begin(), o.end());
    return Expr::cast(real, op.input(i).at(std::move(at)));
  };
  const Indices places = window.at(o, taps);
  std::vector<Between> around;
  for (int64_t d = 0; d < count; ++d) {
    const auto axis = static_cast<size_t>(d);
    const Expr place = Expr::cast(real, Expr::index(places[axis])) +
                       given(2, channel_of(shared, taps, window, d, count));
    around.push_back(between(place, input[axis]));
  }
  Indices from(static_cast<size_t>(x.rank()), Index(0));
  from[0] = n;
  from[1] = channel;
  Expr value = interpolated(x, around, 0, from, real);
  if (op.has_input(4)) value = value * given(4, channel_of(shared, taps, window, 0, 1));
  Indices weight = {feature, c}, to = {n, feature};
  weight.insert(weight.end(), taps.begin(), taps.end());
  to.insert(to.end(), o.begin(), o.end());
  const Expr sum = kernel.reduce(Combiner::sum, reduced, value * Expr::cast(real, w.at(weight)));
  kernel.write(y, to, bias ? sum + bias(to) : sum);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "DeformConv",
          .since = 19,
          .inputs = {{"X", types::floats},
                     {"W", types::floats},
                     {"offset", types::floats},
                     {"B", types::floats, Arity::optional},
                     {"mask", types::floats, Arity::optional}},
          .outputs = {{"Y"}},
          .attributes = {{"dilations", AttributeKind::integers},
                         {"group", AttributeKind::integer},
                         {"kernel_shape", AttributeKind::integers},
                         {"offset_group", AttributeKind::integer},
                         {"pads", AttributeKind::integers},
                         {"strides", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::deform_conv_op
