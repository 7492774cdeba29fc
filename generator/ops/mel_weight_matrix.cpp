// MelWeightMatrix: [bins of a spectrum, mel bands], triangles between frequencies that are evenly
// spaced in mel (2595 log10(1 + f / 700)). All inputs must be known while generating. Since opset
// 17.
#include <cmath>

#include "kernel/tensor.h"
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "ops/api/scalars.h"
#include "support/diagnostics.h"

namespace burin::mel_weight_matrix_op {
namespace {

constexpr int64_t kMost = int64_t{1} << 20;  // of bands and of bins

double known(OpContext& op, int i, const char* name) {
  const std::optional<double> value = scalar_of(op.constant(i));
  if (!value) {
    refuse("dynamic-value", std::string(name) + " is not known before the run",
           "export the model with it as a constant");
  }
  return *value;
}

void lower(OpContext& op) {
  const double bands = known(op, 0, "num_mel_bins"), length = known(op, 1, "dft_length");
  const double rate = known(op, 2, "sample_rate");
  const double lowest = known(op, 3, "lower_edge_hertz"),
               highest = known(op, 4, "upper_edge_hertz");
  if (bands < 1 || bands > kMost || length < 1 || length > kMost || !(rate > 0))
    refuse("bad-attribute", "num_mel_bins, dft_length or sample_rate is not usable");
  if (!(lowest >= 0) || !(highest >= lowest) || !std::isfinite(highest))
    refuse("bad-attribute", "the edges are not frequencies in order");
  const Type type =
      op.has("output_datatype") ? type_of_onnx(op.integer("output_datatype")) : Type::f32;
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
          .lower = lower,
          .note = "inputs known while generating"};
}

}  // namespace burin::mel_weight_matrix_op
