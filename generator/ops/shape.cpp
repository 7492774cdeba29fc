// Shape: the extents of a tensor as i64, from dimension start to dimension end (since opset 15;
// both clipped).
#include <algorithm>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::shape_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t rank = x.rank();
  const auto clipped = [&](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const int64_t start = clipped(op.integer("start", 0)), end = clipped(op.integer("end", rank));
  std::vector<Dim> extents;
  for (int64_t d = start; d < end; ++d) extents.push_back(x.dim(static_cast<int>(d)));

  const int64_t count = static_cast<int64_t>(extents.size());
  const Operand y = op.output(0, Type::i64, {Dim(count)});
  if (count == 0) {
    op.map(y, [&](const Indices&) { return y.zero(); });
  } else {
    KernelBuilder kernel;
    for (int64_t k = 0; k < count; ++k)
      kernel.write(y, {Index(k)}, Expr::index(extents[static_cast<size_t>(k)]));
    op.emit(kernel);
  }
  op.set_known(0, std::move(extents));
}

}  // namespace

OpDef definition() {
  return {.name = "Shape",
          .inputs = {{"data", types::tensors}},
          .outputs = {{"shape"}},
          .attributes = {{"start", AttributeKind::integer, false, since(15)},
                         {"end", AttributeKind::integer, false, since(15)}},
          .lower = lower};
}

}  // namespace burin::shape_op
