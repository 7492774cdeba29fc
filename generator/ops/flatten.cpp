// Flatten: a matrix whose rows are the dimensions before axis and whose columns are the rest.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"

namespace burin::flatten_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t given = op.integer("axis", 1);
  // The default stands for a scalar too, which is one row of one element.
  const bool scalar = x.rank() == 0 && !op.has("axis");
  const int axis = scalar || given == x.rank() ? x.rank() : normalize_axis(given, x.rank());
  const Shape& shape = x.shape();
  map_reshape(op, x,
              {product({shape.begin(), shape.begin() + axis}),
               product({shape.begin() + axis, shape.end()})});
}

}  // namespace

OpDef definition() {
  return {.name = "Flatten",
          .inputs = {{"input", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::flatten_op
