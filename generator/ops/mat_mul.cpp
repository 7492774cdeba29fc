// MatMul: the matrix product of numpy.matmul, with leading dimensions broadcast; factors of rank 1
// are a row and a column.
#include "ops/api/core/op_def.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::mat_mul_op {
namespace {

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1);
  if (a.type() != b.type()) refuse("type-mismatch", "A and B must have one type");
  map_matmul(op, {{a}, {b}}, a.type(), [](const Expr& sum, const Indices&) { return sum; });
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::floats | types::indices | only(Type::u32) | only(Type::u64);
  return {
      .name = "MatMul", .inputs = {{"A", types}, {"B", types}}, .outputs = {{"Y"}}, .lower = lower};
}

}  // namespace burin::mat_mul_op
