// NonZero: the coordinates of the elements that are not zero, [rank, count], in row-major order.
// How many there are is known after the run. Since opset 9.
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"

namespace burin::non_zero_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Shape shape = x.rank() == 0 ? Shape{1} : x.shape();
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

OpDef definition() {
  return {.name = "NonZero",
          .since = 9,
          .inputs = {{"X", types::numeric | types::boolean}},
          .outputs = {{"Y"}},
          .lower = lower};
}

}  // namespace burin::non_zero_op
