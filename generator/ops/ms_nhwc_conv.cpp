// com.microsoft NhwcConv: the convolution of a tensor [N, spatial..., C]; weights are [M, C /
// group, taps...].
#include "ops/api/math/convolution.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sliding_window.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::ms_nhwc_conv_op {
namespace {

constexpr int kBias = 2;

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2});
  const Operand x = with_channels_first(op, op.input(0)), w = op.input(1);
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
