// GroupNormalization: groups of channels normalised together, then scaled and shifted: per channel
// since opset 21, per group in opset 18.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::group_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), scale = op.input(1), shift = op.input(2);
  if (x.rank() < 2) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  const int64_t groups = op.integer("num_groups");
  if (groups < 1) refuse("bad-attribute", "num_groups is " + std::to_string(groups));
  const Dim channels = floordiv(x.dim(1), groups);
  op.require_equal(channels * groups, x.dim(1), "channels and num_groups");
  const bool per_channel = op.version() >= 21;
  for (const Operand& list : {scale, shift}) {
    if (list.rank() != 1) refuse("shape-mismatch", "scale and bias must have one dimension");
    op.require_equal(list.dim(0), per_channel ? x.dim(1) : Dim(groups), "length of scale and bias");
  }
  const Type real = op.has("stash_type") ? compute_type(stash_type(op)) : x.compute();
  const Operand y = op.output(0, x.type(), x.shape());

  KernelBuilder kernel;
  const Index n = kernel.axis(x.dim(0)), g = kernel.axis(groups, "group");
  Indices row = {kernel.axis(channels, "channel")};
  Dim count = channels;
  for (int d = 2; d < x.rank(); ++d) {
    row.push_back(kernel.axis(x.dim(d)));
    count = count * x.dim(d);
  }
  Indices at = {n, g * channels + row[0]};
  at.insert(at.end(), row.begin() + 1, row.end());
  const Expr element = in_type(real, x.at(at));
  const Moments moments = moments_of(kernel, row, element, count);
  const Expr normal =
      in_type(y.compute(),
              (element - moments.mean) * inverse_root(moments.variance, op.real("epsilon", 1e-5)));
  const Index entry = per_channel ? at[1] : g;
  kernel.write(
      y, at,
      normal * in_type(y.compute(), scale.at({entry})) + in_type(y.compute(), shift.at({entry})));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "GroupNormalization",
          .since = 18,
          .inputs = {{"X", types::floats}, {"scale", types::floats}, {"bias", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"epsilon", AttributeKind::real},
                         {"num_groups", AttributeKind::integer, true},
                         {"stash_type", AttributeKind::integer, false, since(21)}},
          .lower = lower};
}

}  // namespace burin::group_normalization_op
