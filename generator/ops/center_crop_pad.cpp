// CenterCropPad: the middle of each of some dimensions, cropped or padded with zeros to a given
// extent. Since opset 18.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::center_crop_pad_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), wanted = op.input(1);
  std::vector<int64_t> listed;
  for (int d = 0; d < x.rank(); ++d) listed.push_back(d);
  const std::vector<int> axes = normalize_axes(op.integers("axes", listed), x.rank(), false);
  if (wanted.rank() != 1) refuse("shape-mismatch", "shape must have one dimension");
  op.require_equal(wanted.dim(0), static_cast<int64_t>(axes.size()), "entries of shape");
  const std::vector<Dim> extents = op.elements(1, {0, kUnbounded});
  if (extents.size() != axes.size()) refuse("shape-mismatch", "shape has a wrong length");
  Shape shape = x.shape();
  for (size_t k = 0; k < axes.size(); ++k) shape[static_cast<size_t>(axes[k])] = extents[k];
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from = at;
    Guard inside;
    for (const int axis : axes) {
      const size_t d = static_cast<size_t>(axis);
      // Cropping starts at half of what goes, padding ends so: one of both is zero.
      const Dim gone = max(x.dim(axis) - y.shape()[d], 0);
      const Dim added = max(y.shape()[d] - x.dim(axis), 0);
      from[d] = at[d] + floordiv(gone, 2) - floordiv(added, 2);
      inside.push_back({from[d], 0, x.dim(axis)});
    }
    return Expr::cases({{inside, x.at(from)}}, x.zero());
  });
}

}  // namespace

OpDef definition() {
  return {.name = "CenterCropPad",
          .since = 18,
          .inputs = {{"input_data", types::tensors}, {"shape", types::indices}},
          .outputs = {{"output_data"}},
          .attributes = {{"axes", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::center_crop_pad_op
