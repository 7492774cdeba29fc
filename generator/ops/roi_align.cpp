// RoiAlign: regions of a feature map, cut into cells of which samples at fixed places are averaged
// or maximised, each interpolated from its four neighbours. The number of samples per cell must be
// given (sampling_ratio). Since opset 10; opset 16 brought half_pixel, its default.
#include <algorithm>

#include "ops/api/movement.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Along one dimension: two neighbours with weights; `outside`: the sample counts as zero.
struct Sample {
  Index low, high;
  Expr low_weight, high_weight, outside;
};

Sample sample_of(const Expr& place, const Dim& extent) {
  const auto number = [&](double value) { return Expr::constant(place.type(), value); };
  const Expr size = Expr::cast(place.type(), Expr::index(extent)), last = size - 1.0;
  Sample sample;
  sample.outside = Expr::binary(Binary::logical_or, compare(Binary::lt, place, number(-1)),
                                compare(Binary::gt, place, size));
  const Expr x = min(max(place, number(0)), last);
  const Expr floor = Expr::unary(Unary::floor, x);
  const int64_t most = extent.range().hi;
  sample.low = Index::data(Expr::cast(Type::i64, floor).ptr(),
                           {0, most == kUnbounded ? kUnbounded : std::max<int64_t>(most - 1, 0)});
  sample.high = min(sample.low + 1, extent - 1);
  sample.high_weight = x - floor;
  sample.low_weight = 1.0 - sample.high_weight;
  return sample;
}

void lower(OpContext& op) {
  const Operand x = op.input(0), rois = op.input(1), batches = op.input(2);
  if (x.rank() != 4 || rois.rank() != 2 || batches.rank() != 1)
    refuse("shape-mismatch", "X, rois and batch_indices must have ranks 4, 2 and 1");
  op.require_equal(rois.dim(1), 4, "coordinates of a region");
  op.require_equal(rois.dim(0), batches.dim(0), "number of regions");
  for (int d = 2; d < 4; ++d) op.require({{x.dim(d), 1, x.dim(d) + 1}}, "extent of X");
  const int64_t height = op.integer("output_height", 1), width = op.integer("output_width", 1);
  const int64_t ratio = op.integer("sampling_ratio", 0);
  if (height < 1 || width < 1 || ratio < 0)
    refuse("bad-attribute", "output_height, output_width or sampling_ratio is not positive");
  if (ratio == 0) {
    refuse("unsupported-attribute",
           "sampling_ratio 0: the number of samples would depend on the data");
  }
  const std::string mode = op.text("mode", "avg");
  if (mode != "avg" && mode != "max") refuse("bad-attribute", "mode is " + quoted(mode));
  const std::string transform = op.text("coordinate_transformation_mode",
                                        op.version() < 16 ? "output_half_pixel" : "half_pixel");
  const bool half_pixel = transform == "half_pixel";
  if (!half_pixel && transform != "output_half_pixel")
    refuse("bad-attribute", "coordinate_transformation_mode is " + quoted(transform));
  const double scale = op.real("spatial_scale", 1);
  const Operand y = op.output(0, x.type(), {rois.dim(0), x.dim(1), height, width});

  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  const Index ky = kernel.reduce_axis(ratio, "sample"), kx = kernel.reduce_axis(ratio, "sample");
  const auto place = [&](int64_t begin, const Index& cell, const Index& k, int64_t cells) {
    const double shift = half_pixel ? 0.5 : 0;
    const Expr start = rois.at({at[0], begin}) * scale - shift;
    const Expr end = rois.at({at[0], begin + 2}) * scale - shift;
    const Expr extent = half_pixel ? end - start : max(end - start, x.constant(1));
    const Expr step = Expr::cast(x.compute(), Expr::index((cell * ratio + k) * 2 + 1));
    return start + step * extent / static_cast<double>(2 * cells * ratio);
  };
  const Sample v = sample_of(place(1, at[2], ky, height), x.dim(2));
  const Sample h = sample_of(place(0, at[3], kx, width), x.dim(3));
  const Index batch = data_index(batches.at({at[0]}), x.dim(0));
  const Expr outside = Expr::binary(Binary::logical_or, v.outside, h.outside);
  const auto corner = [&](bool low_v, bool low_h) {
    const Expr value = x.at({batch, at[1], low_v ? v.low : v.high, low_h ? h.low : h.high});
    const Expr weight =
        (low_v ? v.low_weight : v.high_weight) * (low_h ? h.low_weight : h.high_weight);
    return Expr::select(outside, x.zero(), value * weight);
  };
  const Expr a = corner(true, true), b = corner(true, false), c = corner(false, true),
             d = corner(false, false);
  if (mode == "avg") {
    const Expr sum = kernel.reduce(Combiner::sum, {ky, kx}, a + b + c + d);
    kernel.write(y, at, sum / static_cast<double>(ratio * ratio));
  } else {
    kernel.write(y, at, kernel.reduce(Combiner::max, {ky, kx}, max(max(a, b), max(c, d))));
  }
  op.emit(kernel);
}

}  // namespace

OpDef op_roi_align() {
  return {.name = "RoiAlign",
          .since = 10,
          .inputs = {{"X", types::floats}, {"rois", types::floats}, {"batch_indices", types::i64}},
          .outputs = {{"Y"}},
          .attributes = {{"coordinate_transformation_mode", AttributeKind::text},
                         {"mode", AttributeKind::text},
                         {"output_height", AttributeKind::integer},
                         {"output_width", AttributeKind::integer},
                         {"sampling_ratio", AttributeKind::integer},
                         {"spatial_scale", AttributeKind::real}},
          .lower = lower,
          .note = "sampling_ratio must be positive"};
}

}  // namespace burin
