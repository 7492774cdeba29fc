// com.microsoft FusedMatMul: alpha * A B, each optionally transposed in its last two dimensions,
// after its first dimension has optionally moved behind those of the batch.
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_fused_mat_mul_op {
namespace {

// [rows, batch ..., columns] as [batch ..., rows, columns].
Operand with_batch_first(OpContext& op, int input) {
  const Operand x = op.input(input);
  if (x.rank() < 3) return x;
  Shape shape(x.shape().begin() + 1, x.shape().end() - 1);
  shape.push_back(x.dim(0));
  shape.push_back(x.dim(-1));
  const Operand out = op.temporary("batches" + std::to_string(input), x.type(), shape);
  op.map(out, [&](const Indices& at) {
    Indices from = {at[at.size() - 2]};
    from.insert(from.end(), at.begin(), at.end() - 2);
    from.push_back(at.back());
    return x.at(from);
  });
  return out;
}

void lower(OpContext& op) {
  require_one_type(op, {0, 1});
  const double alpha = op.real("alpha", 1);
  const Operand a = op.integer("transBatchA", 0) != 0 ? with_batch_first(op, 0) : op.input(0),
                b = op.integer("transBatchB", 0) != 0 ? with_batch_first(op, 1) : op.input(1);
  const MatrixProduct product{{a},
                              {b},
                              op.integer("transA", 0) != 0 && a.rank() > 1,
                              op.integer("transB", 0) != 0 && b.rank() > 1};
  map_matmul(op, product, a.type(),
             [&](const Expr& sum, const Indices&) { return scaled(sum, alpha, "alpha"); });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "FusedMatMul",
                .inputs = {{"A", types::floats}, {"B", types::floats}},
                .outputs = {{"Y"}},
                .attributes = {{"alpha", AttributeKind::real},
                               {"transA", AttributeKind::integer},
                               {"transB", AttributeKind::integer},
                               {"transBatchA", AttributeKind::integer},
                               {"transBatchB", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_fused_mat_mul_op
