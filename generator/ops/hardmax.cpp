// Hardmax: 1 at the first largest element of a row, 0 elsewhere.
#include "ops/api/core/op_def.h"
#include "ops/api/math/row.h"

namespace burin::hardmax_op {
namespace {

void lower(OpContext& op) {
  map_rows(op, [](const Row& row) {
    const Expr position = Expr::index(row.position);
    const std::vector<Expr> found =
        row.kernel.reduce_tuple(Combiner::first_max, row.axes, {row.element, position});
    const Type type = row.element.type();
    return Expr::select(compare(Binary::eq, position, found[1]), Expr::constant(type, 1),
                        Expr::constant(type, 0));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Hardmax",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::hardmax_op
