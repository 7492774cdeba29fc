// com.microsoft BiasSplitGelu: X plus a bias, cut in two along the last dimension: the first half
// times Gelu of the second.
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_bias_split_gelu_op {
namespace {

void lower(OpContext& op) {
  require_one_type(op, {0, 1});
  const Operand x = op.input(0), bias = op.input(1);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  require_broadcastable(op, bias.shape(), {x.dim(-1)}, "bias");
  Shape shape = x.shape();
  const Dim half = floordiv(shape.back(), 2);
  op.require_equal(half * 2, shape.back(), "halves of the last dimension");
  shape.back() = half;
  op.map(op.output(0, x.type(), shape), [&](const Indices& at) {
    const auto part = [&](const Index& place) {
      Indices from = at;
      from.back() = place;
      return x.at(from) + bias.broadcast_at({place});
    };
    return part(at.back()) * gelu(part(at.back() + half));
  });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "BiasSplitGelu",
                .inputs = {{"X", types::floats}, {"bias", types::floats}},
                .outputs = {{"Y"}},
                .lower = lower});
}

}  // namespace burin::ms_bias_split_gelu_op
