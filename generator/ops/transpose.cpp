// Transpose: dimension d of the result is dimension perm[d] of the input; without perm, reversed.
#include <algorithm>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::transpose_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  std::vector<int64_t> reversed;
  for (int d = x.rank(); d-- > 0;) reversed.push_back(d);
  const std::vector<int64_t> given = op.integers("perm", reversed);
  if (static_cast<int>(given.size()) != x.rank()) {
    refuse("bad-attribute", "perm has " + std::to_string(given.size()) +
                                " entries for a tensor of rank " + std::to_string(x.rank()));
  }
  std::vector<int> order;
  for (const int64_t d : given) {
    if (d < 0 || d >= x.rank())
      refuse("bad-attribute", "perm has the entry " + std::to_string(d) + " for a tensor of rank " +
                                  std::to_string(x.rank()));
    if (std::find(order.begin(), order.end(), static_cast<int>(d)) != order.end())
      refuse("bad-attribute", "perm names dimension " + std::to_string(d) + " twice");
    order.push_back(static_cast<int>(d));
  }
  map_dimensions(op, x, order);
}

}  // namespace

OpDef definition() {
  return {.name = "Transpose",
          .inputs = {{"data", types::tensors}},
          .outputs = {{"transposed"}},
          .attributes = {{"perm", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::transpose_op
