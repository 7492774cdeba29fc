// RoiAlign: regions of a feature map, cut into cells of which samples at fixed places are averaged
// or maximised, each interpolated from its four neighbours. The number of samples per cell and
// dimension is sampling_ratio; where that is 0 it is the extent of the cell, rounded up, which the
// regions decide: the loops then run to the largest of them. Since opset 10; opset 16 brought
// half_pixel, its default.
#include <algorithm>
#include <functional>
#include <limits>

#include "ops/api/core/op_def.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::roi_align_op {
namespace {

constexpr int64_t kMostSamples = int64_t{1} << 20;  // of a cell along a dimension

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

// The largest number of samples that a region has, as a size that the run determines.
Dim most_samples(OpContext& op, const Operand& rois,
                 const std::function<Expr(const Index& roi)>& samples) {
  const Operand most = op.temporary("samples", Type::i64, {1});
  KernelBuilder kernel;
  const Index roi = kernel.reduce_axis(rois.dim(0), "region");
  const Expr least = Expr::constant(Type::i64, 0);
  kernel.write(
      most, {0},
      max(kernel.reduce(Combiner::max, {roi}, Expr::cast(Type::i64, samples(roi))), least));
  op.emit(kernel);
  const Symbol symbol = op.run_symbol("samples", {0, kMostSamples});
  op.bind(symbol, most.at({0}));
  return Index::symbol(symbol);
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1});
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
  const std::string mode = op.text("mode", "avg");
  if (mode != "avg" && mode != "max") refuse("bad-attribute", "mode is " + quoted(mode));
  const std::string transform = op.text("coordinate_transformation_mode",
                                        op.version() < 16 ? "output_half_pixel" : "half_pixel");
  const bool half_pixel = transform == "half_pixel";
  if (!half_pixel && transform != "output_half_pixel")
    refuse("bad-attribute", "coordinate_transformation_mode is " + quoted(transform));
  const double scale = op.real("spatial_scale", 1);
  require_pickable(op, rois.dim(0), x.dim(0));
  const Operand y = op.output(0, x.type(), {rois.dim(0), x.dim(1), height, width});

  const double shift = half_pixel ? 0.5 : 0;
  const auto start_of = [&](const Index& roi, int64_t begin) {
    return rois.at({roi, begin}) * scale - shift;
  };
  const auto extent_of = [&](const Index& roi, int64_t begin) {
    const Expr extent = start_of(roi, begin + 2) - start_of(roi, begin);
    return half_pixel ? extent : max(extent, x.constant(1));
  };
  // Samples of a cell along a dimension, as a number of x's compute type.
  const auto samples_of = [&](const Index& roi, int64_t begin, int64_t cells) {
    if (ratio > 0) return x.constant(ratio);
    const Expr exact = extent_of(roi, begin) / static_cast<double>(cells);
    return min(max(Expr::unary(Unary::ceil, exact), x.zero()), x.constant(kMostSamples));
  };
  const Dim most_v = ratio > 0 ? Dim(ratio) : most_samples(op, rois, [&](const Index& roi) {
    return samples_of(roi, 1, height);
  });
  const Dim most_h = ratio > 0 ? Dim(ratio) : most_samples(op, rois, [&](const Index& roi) {
    return samples_of(roi, 0, width);
  });

  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  const Index ky = kernel.reduce_axis(most_v, "sample"), kx = kernel.reduce_axis(most_h, "sample");
  const Expr count_v = samples_of(at[0], 1, height), count_h = samples_of(at[0], 0, width);
  const auto real = [&](const Index& i) { return Expr::cast(x.compute(), Expr::index(i)); };
  const auto place = [&](int64_t begin, const Index& cell, const Index& k, int64_t cells,
                         const Expr& count) {
    if (ratio > 0) {
      return start_of(at[0], begin) + real((cell * ratio + k) * 2 + 1) * extent_of(at[0], begin) /
                                          static_cast<double>(2 * cells * ratio);
    }
    const Expr size = extent_of(at[0], begin) / static_cast<double>(cells);
    return start_of(at[0], begin) + real(cell) * size + (real(k) + 0.5) * size / count;
  };
  const Sample v = sample_of(place(1, at[2], ky, height, count_v), x.dim(2));
  const Sample h = sample_of(place(0, at[3], kx, width, count_h), x.dim(3));
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
  // Samples that only other regions have do not count.
  const Expr sampled = Expr::binary(Binary::logical_and, compare(Binary::lt, real(ky), count_v),
                                    compare(Binary::lt, real(kx), count_h));
  const auto counted = [&](const Expr& value, const Expr& otherwise) {
    return ratio > 0 ? value : Expr::select(sampled, value, otherwise);
  };
  if (mode == "avg") {
    const Expr sum = kernel.reduce(Combiner::sum, {ky, kx}, counted(a + b + c + d, x.zero()));
    kernel.write(y, at, sum / max(count_v * count_h, x.constant(1)));
  } else {
    const Expr least = x.constant(-std::numeric_limits<double>::infinity());
    const Expr largest =
        kernel.reduce(Combiner::max, {ky, kx}, counted(max(max(a, b), max(c, d)), least));
    const Expr none = compare(Binary::eq, count_v * count_h, x.zero());
    kernel.write(y, at, ratio > 0 ? largest : Expr::select(none, x.zero(), largest));
  }
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "RoiAlign",
          .since = 10,
          .inputs = {{"X", types::floats}, {"rois", types::floats}, {"batch_indices", types::i64}},
          .outputs = {{"Y"}},
          .attributes = {{"coordinate_transformation_mode", AttributeKind::text, false, since(16)},
                         {"mode", AttributeKind::text},
                         {"output_height", AttributeKind::integer},
                         {"output_width", AttributeKind::integer},
                         {"sampling_ratio", AttributeKind::integer},
                         {"spatial_scale", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::roi_align_op
