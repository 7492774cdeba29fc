// NonZero: the coordinates of the elements that are not zero, [rank, count], in row-major order.
// How many there are is known after the run. Since opset 9.
#include "ops/api/op_def.h"
#include "ops/api/procedure.h"

namespace burin {
namespace {

// A scalar has no coordinates: [0, 1] or [0, 0], without an element.
void lower_scalar(OpContext& op, const Operand& x) {
  const Symbol count = op.run_symbol("count", {0, 1});
  const Expr is_zero = Expr::binary(Binary::eq, x.scalar(), x.zero());
  op.bind(count, Expr::select(is_zero, Expr::constant(Type::i64, 0), Expr::constant(Type::i64, 1)));
  const Operand y = op.output(0, Type::i64, {0, Index::symbol(count)});
  op.map(y, [&](const Indices&) { return y.zero(); });
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() == 0) return lower_scalar(op, x);
  const Shape& shape = x.shape();
  const Dim most = product(shape);
  const Symbol count = op.run_symbol("count", {0, most});
  Procedure procedure;
  procedure.function = "non_zero";
  procedure.element = x.type();
  procedure.reads = {x.value()};
  const Dim rank = static_cast<int64_t>(shape.size());
  procedure.arguments = {rank};
  procedure.arguments.insert(procedure.arguments.end(), shape.begin(), shape.end());
  procedure.scratch_bytes = rank * 8;
  emit_counted(op, std::move(procedure), count, most,
               {{0, Type::i64, {rank, Index::symbol(count)}}});
}

}  // namespace

OpDef op_non_zero() {
  return {.name = "NonZero",
          .since = 9,
          .inputs = {{"X", types::numeric | types::boolean}},
          .outputs = {{"Y"}},
          .lower = lower};
}

}  // namespace burin
