// MelWeightMatrix: [bins of a spectrum, mel bands], triangles between frequencies that are evenly
// spaced in mel (2595 log10(1 + f / 700)). Where all inputs are known while generating a table,
// else kernels that the run executes. Since opset 17.
#include <cmath>

#include "kernel/tensor.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::mel_weight_matrix_op {
namespace {

constexpr int64_t kMost = int64_t{1} << 20;  // of bands and of bins
// Of the run, which takes memory for as many.
constexpr int64_t kMostBands = 1024, kMostLength = 65536;

Type type_of(const OpContext& op) {
  return op.has("output_datatype") ? type_of_onnx(op.integer("output_datatype")) : Type::f32;
}

std::optional<std::vector<double>> known(OpContext& op) {
  std::vector<double> out;
  for (int i = 0; i < 5; ++i) {
    const std::optional<Tensor> constant = op.constant(i);
    const std::optional<double> value = constant ? scalar_of(constant) : std::nullopt;
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

Expr real(const Expr& value) { return Expr::cast(Type::f64, value); }

void lower_at_run(OpContext& op) {
  for (int i = 0; i < 5; ++i)
    op.require_equal(product(op.input(i).shape()), 1, "elements of a parameter");
  const Dim bands = op.elements(0, {1, kMostBands})[0],
            length = op.elements(1, {1, kMostLength})[0];
  const auto mel = [](const Expr& hertz) {
    return Expr::unary(Unary::log, real(hertz) / 700 + 1) * (2595 / std::log(10));
  };
  const Operand corner = op.temporary("corners", Type::i64, {bands + 2});
  const Expr lowest = mel(op.input(3).scalar()), highest = mel(op.input(4).scalar());
  op.map(corner, [&](const Indices& at) {
    const Expr step = (highest - lowest) / real(Expr::index(bands + 2));
    const Expr place = real(Expr::index(at[0])) * step + lowest;
    const Expr hertz = (Expr::unary(Unary::exp, place * (std::log(10) / 2595)) - 1) * 700;
    const Expr bin = real(Expr::index(length + 1)) * hertz / real(op.input(2).scalar());
    return Expr::cast(Type::i64, Expr::unary(Unary::floor, bin));
  });
  const Operand y = op.output(0, type_of(op), {floordiv(length, 2) + 1, bands});
  op.map(y, [&](const Indices& at) {
    const Expr bin = Expr::index(at[0]), low = corner.at({at[1]}), peak = corner.at({at[1] + 1}),
               high = corner.at({at[1] + 2});
    const auto both = [](const Expr& a, const Expr& b) {
      return Expr::binary(Binary::logical_and, a, b);
    };
    const Expr one = Expr::constant(Type::i64, 1), zero = Expr::constant(Type::f64, 0.0);
    const Expr rising = Expr::select(compare(Binary::eq, low, peak), Expr::constant(Type::f64, 1.0),
                                     real(bin - low) / real(max(peak - low, one)));
    const Expr rises = both(compare(Binary::ge, bin, low), compare(Binary::le, bin, peak));
    const Expr falls = both(compare(Binary::ge, bin, peak), compare(Binary::lt, bin, high));
    const Expr falling = real(high - bin) / real(max(high - peak, one));
    const Expr weight = Expr::select(falls, falling, Expr::select(rises, rising, zero));
    return in_type(y.compute(), weight);
  });
}

void lower(OpContext& op) {
  const std::optional<std::vector<double>> all = known(op);
  if (!all) return lower_at_run(op);
  const double bands = (*all)[0], length = (*all)[1], rate = (*all)[2];
  const double lowest = (*all)[3], highest = (*all)[4];
  if (bands < 1 || bands > kMost || length < 1 || length > kMost || !(rate > 0))
    refuse("bad-attribute", "num_mel_bins, dft_length or sample_rate is not usable");
  if (!(lowest >= 0) || !(highest >= lowest) || !std::isfinite(highest))
    refuse("bad-attribute", "the edges are not frequencies in order");
  const Type type = type_of(op);
  const auto count = static_cast<int64_t>(bands);
  const int64_t bins = static_cast<int64_t>(length) / 2 + 1;
  // The bins where triangles begin, peak and end.
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  std::vector<int64_t> corner;
  for (int64_t k = 0; k < count + 2; ++k) {
    const double step = (mel(highest) - mel(lowest)) / static_cast<double>(count + 2);
    const double hertz =
        700 * (std::pow(10, (static_cast<double>(k) * step + mel(lowest)) / 2595) - 1);
    corner.push_back(static_cast<int64_t>(std::floor((length + 1) * hertz / rate)));
  }
  std::vector<double> weights(static_cast<size_t>(bins * count), 0);
  const auto weight = [&](int64_t bin, int64_t band) -> double& {
    return weights[static_cast<size_t>(bin * count + band)];
  };
  for (int64_t band = 0; band < count; ++band) {
    const int64_t low = corner[static_cast<size_t>(band)];
    const int64_t peak = corner[static_cast<size_t>(band + 1)];
    const int64_t high = corner[static_cast<size_t>(band + 2)];
    if (high > bins) refuse("bad-attribute", "upper_edge_hertz is beyond half the sample rate");
    if (low == peak) {
      if (peak < bins) weight(peak, band) = 1;
    } else {
      for (int64_t bin = low; bin <= std::min(peak, bins - 1); ++bin)
        weight(bin, band) = static_cast<double>(bin - low) / static_cast<double>(peak - low);
    }
    for (int64_t bin = peak; bin < high && peak < high; ++bin)
      weight(bin, band) = static_cast<double>(high - bin) / static_cast<double>(high - peak);
  }
  const HostTensor host = make_tensor(type, {bins, count}, weights);
  const Operand table =
      op.constant_operand("mel weights", {type, {bins, count}, to_constant(host), {}});
  const Operand y = op.output(0, type, {bins, count});
  op.map(y, [&](const Indices& at) { return table.at(at); });
}

}  // namespace

OpDef definition() {
  return {.name = "MelWeightMatrix",
          .since = 17,
          .inputs = {{"num_mel_bins", types::indices},
                     {"dft_length", types::indices},
                     {"sample_rate", types::indices},
                     {"lower_edge_hertz", types::floats},
                     {"upper_edge_hertz", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"output_datatype", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::mel_weight_matrix_op
