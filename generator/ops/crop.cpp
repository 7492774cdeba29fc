// Crop: images without a border (left, top, right, bottom); with scale, a part of that height and
// width from the left upper corner on. Retired before opset 9; exporters of that time wrote it.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::crop_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 4) refuse("shape-mismatch", "input has rank " + std::to_string(x.rank()));
  const std::vector<int64_t> border = op.integers("border", {});
  const std::vector<int64_t> scale = op.integers("scale", {});
  if (border.size() != 4 || (!scale.empty() && scale.size() != 2))
    refuse("bad-attribute", "border must have four numbers, scale two");
  for (const int64_t one : border) {
    if (one < 0) refuse("bad-attribute", "border has " + std::to_string(one));
  }
  const int64_t left = border[0], top = border[1];
  Shape shape = x.shape();
  shape[2] = scale.empty() ? x.dim(2) - top - border[3] : Dim(scale[0]);
  shape[3] = scale.empty() ? x.dim(3) - left - border[2] : Dim(scale[1]);
  op.require({{shape[2] + top, top + 1, x.dim(2) + 1}, {shape[3] + left, left + 1, x.dim(3) + 1}},
             "the part that is left");
  op.map(op.output(0, x.type(), shape), [&](const Indices& at) {
    return x.at({at[0], at[1], at[2] + top, at[3] + left});
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Crop",
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"border", AttributeKind::integers}, {"scale", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::crop_op
