// Transpose: dimension d of the result is dimension perm[d] of the input; without perm, reversed.
#include "ops/api/movement.h"
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
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
  for (const int64_t d : given) {
    if (d < 0) refuse("bad-attribute", "perm has the negative entry " + std::to_string(d));
  }
  map_dimensions(op, x, normalize_axes(given, x.rank(), false));
}

}  // namespace

OpDef op_transpose() {
  return {.name = "Transpose",
          .inputs = {{"data"}},
          .outputs = {{"transposed"}},
          .attributes = {{"perm", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin
