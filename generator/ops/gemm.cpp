// Gemm: Y = alpha * A' B' + beta * C, with A' and B' optionally transposed and C broadcast to Y. C
// is optional since opset 11; before opset 7 it is broadcast only where the attribute says so.
#include "ops/api/core/op_def.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::gemm_op {
namespace {

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1);
  const bool transpose_a = op.integer("transA", 0) != 0, transpose_b = op.integer("transB", 0) != 0;
  const double alpha = op.real("alpha", 1), beta = op.real("beta", 1);
  const bool has_c = op.has_input(2);
  if (!has_c && op.version() < 11) refuse("arity", "C is absent, which needs opset 11");
  if (a.type() != b.type() || (has_c && op.input(2).type() != a.type()))
    refuse("type-mismatch", "A, B and C must have one type");
  if (has_c && a.rank() == 2 && b.rank() == 2) {
    const Operand c = op.input(2);
    const Shape shape = {a.dim(transpose_a ? 1 : 0), b.dim(transpose_b ? 0 : 1)};
    if (op.version() < 7 && op.integer("broadcast", 0) == 0 && c.rank() != 2)
      refuse("shape-mismatch", "C has rank " + std::to_string(c.rank()) + ", not 2");
    require_broadcastable(op, c.shape(), shape, "C");
  }
  map_gemm(op, {{a}, {b}, transpose_a, transpose_b}, a.type(),
           [&](const Expr& sum, const Indices& at) {
             const Expr product = scaled(sum, alpha, "alpha");
             if (!has_c || beta == 0) return product;
             return product + scaled(op.input(2).broadcast_at(at), beta, "beta");
           });
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::floats | types::indices | only(Type::u32) | only(Type::u64);
  return {.name = "Gemm",
          .inputs = {{"A", types},
                     {"B", types},
                     {"C", types, Arity::required, until(10)},
                     {"C", types, Arity::optional, since(11)}},
          .outputs = {{"Y"}},
          .attributes = {{"alpha", AttributeKind::real},
                         {"beta", AttributeKind::real},
                         {"transA", AttributeKind::integer},
                         {"transB", AttributeKind::integer},
                         {"broadcast", AttributeKind::integer, false, until(6)}},
          .lower = lower};
}

}  // namespace burin::gemm_op
