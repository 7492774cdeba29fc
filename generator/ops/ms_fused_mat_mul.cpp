// com.microsoft FusedMatMul: alpha * A B, each optionally transposed in its last two dimensions.
#include "ops/api/contraction.h"
#include "ops/api/fused.h"
#include "support/diagnostics.h"

namespace burin::ms_fused_mat_mul_op {
namespace {

void lower(OpContext& op) {
  if (op.integer("transBatchA", 0) != 0 || op.integer("transBatchB", 0) != 0)
    refuse("unsupported-attribute", "transBatchA and transBatchB are not supported");
  const double alpha = op.real("alpha", 1);
  const MatrixProduct product{{op.input(0)},
                              {op.input(1)},
                              op.integer("transA", 0) != 0 && op.input(0).rank() > 1,
                              op.integer("transB", 0) != 0 && op.input(1).rank() > 1};
  map_matmul(op, product, op.input(0).type(),
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
                .lower = lower,
                .note = "batches are not transposed"});
}

}  // namespace burin::ms_fused_mat_mul_op
