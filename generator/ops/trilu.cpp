// Trilu: the upper (or lower) triangle of the last two dimensions, zero elsewhere; k moves the
// diagonal. Since opset 14.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::trilu_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 2)
    refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()) + "; it needs two");
  const bool upper = op.integer("upper", 1) != 0;
  const Dim &rows = x.dim(-2), &columns = x.dim(-1);
  Dim k = 0;
  if (op.has_input(1)) {
    op.require_equal(product(op.input(1).shape()), 1, "elements of k");
    // Beyond the matrix, further out makes no difference.
    if (const std::optional<std::vector<Dim>> known = op.known(1)) {
      k = max(min((*known)[0], columns), -rows);
    } else {
      // Counted from the last row, so that nothing bounds it but the matrix.
      const auto clip = [&](int64_t, const Expr& e) {
        return max(min(e, Expr::index(columns)), Expr::index(-rows)) + Expr::index(rows);
      };
      k = op.elements(1, {0, rows + columns}, clip)[0] - rows;
    }
  }
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) {
    const Index row = at[at.size() - 2], column = at[at.size() - 1];
    const Index above = column - row;
    const Condition kept = upper ? Condition{above, k, columns} : Condition{above, 1 - rows, k + 1};
    return Expr::cases({{{kept}, x.at(at)}}, x.zero());
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Trilu",
          .since = 14,
          .inputs = {{"input", types::tensors}, {"k", types::i64, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{"upper", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::trilu_op
