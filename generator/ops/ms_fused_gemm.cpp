// com.microsoft FusedGemm: activation(alpha * A' B' + beta * C).
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_fused_gemm_op {
namespace {

void lower(OpContext& op) {
  require_one_type(op, {0, 1, 2});
  const Operand a = op.input(0), b = op.input(1);
  if (a.rank() != 2 || b.rank() != 2) refuse("shape-mismatch", "A and B must have rank 2");
  const bool transpose_a = op.integer("transA", 0) != 0, transpose_b = op.integer("transB", 0) != 0;
  const double alpha = op.real("alpha", 1), beta = op.real("beta", 1);
  const std::optional<Activation> activation = fused_activation(op);
  if (op.has_input(2)) {
    require_broadcastable(op, op.input(2).shape(),
                          {a.dim(transpose_a ? 1 : 0), b.dim(transpose_b ? 0 : 1)}, "C");
  }
  map_gemm(op, {{a}, {b}, transpose_a, transpose_b}, a.type(),
           [&](const Expr& sum, const Indices& at) {
             Expr value = scaled(sum, alpha, "alpha");
             if (op.has_input(2))
               value = value + scaled(op.input(2).broadcast_at(at), beta, "beta");
             return activation ? (*activation)(value) : value;
           });
}

}  // namespace

OpDef definition() {
  OpDef def{
      .name = "FusedGemm",
      .inputs = {{"A", types::floats}, {"B", types::floats}, {"C", types::floats, Arity::optional}},
      .outputs = {{"Y"}},
      .attributes = {{"alpha", AttributeKind::real},
                     {"beta", AttributeKind::real},
                     {"transA", AttributeKind::integer},
                     {"transB", AttributeKind::integer}},
      .lower = lower};
  for (const AttributeDef& attribute : fused_activation_attributes())
    def.attributes.push_back(attribute);
  return ms_op(std::move(def));
}

}  // namespace burin::ms_fused_gemm_op
