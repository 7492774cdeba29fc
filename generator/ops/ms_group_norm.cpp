// com.microsoft GroupNorm: groups of channels normalised together, then scaled and shifted per
// channel, and optionally through SiLU. channels_last, the default: [N, H, W, C].
#include "ops/api/layers/normalization.h"
#include "ops/api/math/activation.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_group_norm_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), gamma = op.input(1), beta = op.input(2);
  if (x.rank() < 3) refuse("shape-mismatch", "X has rank " + std::to_string(x.rank()));
  const int64_t groups = op.integer("groups"), activation = op.integer("activation");
  if (groups < 1) refuse("bad-attribute", "groups is " + std::to_string(groups));
  if (activation != 0 && activation != 1)
    refuse("bad-attribute", "activation is " + std::to_string(activation) + "; 0 and 1 exist");
  const bool last = op.integer("channels_last", 1) != 0;
  const int channel = last ? x.rank() - 1 : 1;
  const Dim each = floordiv(x.dim(channel), groups);
  op.require_equal(each * groups, x.dim(channel), "channels and groups");
  for (const Operand& list : {gamma, beta}) {
    if (list.rank() != 1) refuse("shape-mismatch", "gamma and beta must have one dimension");
    op.require_equal(list.dim(0), x.dim(channel), "length of gamma and beta");
  }
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  Indices at = {kernel.axis(x.dim(0))};
  const Index group = kernel.axis(groups, "group"), own = kernel.axis(each, "channel");
  Indices row = {own};
  Dim count = each;
  for (int d = 1; d < x.rank(); ++d) {
    if (d == channel) {
      at.push_back(group * each + own);
      continue;
    }
    at.push_back(kernel.axis(x.dim(d)));
    row.push_back(at.back());
    count = count * x.dim(d);
  }
  const Expr element = in_type(Type::f32, x.at(at));
  const Moments moments = moments_of(kernel, row, element, count);
  const Expr normal =
      (element - moments.mean) * inverse_root(moments.variance, op.real("epsilon", 1e-5));
  const Index entry = at[static_cast<size_t>(channel)];
  const Expr value =
      normal * in_type(Type::f32, gamma.at({entry})) + in_type(Type::f32, beta.at({entry}));
  kernel.write(y, at, in_type(y.compute(), activation == 1 ? value * sigmoid(value) : value));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16);
  return ms_op({.name = "GroupNorm",
                .inputs = {{"X", real}, {"gamma", real}, {"beta", real}},
                .outputs = {{"Y"}},
                .attributes = {{"activation", AttributeKind::integer, true},
                               {"channels_last", AttributeKind::integer},
                               {"epsilon", AttributeKind::real},
                               {"groups", AttributeKind::integer, true}},
                .lower = lower});
}

}  // namespace burin::ms_group_norm_op
