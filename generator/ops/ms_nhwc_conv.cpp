// com.microsoft NhwcConv: the convolution of a tensor [N, spatial..., C]. Weights are [M, taps...,
// C / group], as onnxruntime's optimiser writes them and its kernel reads them; its documentation
// has [M, C / group, taps...], which is taken where only that fits.
#include "ops/api/math/convolution.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sliding_window.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::ms_nhwc_conv_op {
namespace {

constexpr int kBias = 2;

bool has_channels_last(const OpContext& op, const Operand& w, const Dim& channels) {
  if (!(w.dim(-1) * group_of(op) == channels)) return false;
  const std::vector<int64_t> taps = op.integers("kernel_shape", {});
  for (size_t d = 0; d < taps.size() && d + 2 < w.shape().size(); ++d) {
    if (!(w.shape()[d + 1] == Dim(taps[d]))) return false;
  }
  return true;
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2});
  const Operand x = with_channels_first(op, op.input(0)), given = op.input(1);
  if (given.rank() != x.rank())
    refuse("shape-mismatch", "the weights have shape " + to_string(given.shape()));
  const Operand w =
      has_channels_last(op, given, x.dim(1)) ? with_channels_first(op, given) : given;
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(kBias)) bias = bias_reader(op, kBias, w.dim(0));
  map_convolution(
      op, {x}, {w}, x.type(),
      [&](const Expr& sum, const Indices& at) { return bias ? sum + bias(at) : sum; }, true);
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "NhwcConv",
                .inputs = {{"X", types::floats},
                           {"W", types::floats},
                           {"B", types::floats, Arity::optional}},
                .outputs = {{"Y"}},
                .attributes = convolution_attributes(),
                .lower = lower});
}

}  // namespace burin::ms_nhwc_conv_op
