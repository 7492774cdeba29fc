// com.microsoft QGemm: alpha * A' B' + C of quantised matrices, exact in i32 with an i32 bias, then
// scaled: quantised where an output scale is given, else real. B may have a scale per column.
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin::ms_q_gemm_op {
namespace {

constexpr int kBias = 6, kScale = 7, kZero = 8;

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(3);
  if (a.rank() != 2 || b.rank() != 2) refuse("shape-mismatch", "A and B must have rank 2");
  const bool transpose_a = op.integer("transA", 0) != 0, transpose_b = op.integer("transB", 0) != 0;
  const double alpha = op.real("alpha", 1);
  for (const int i : {1, 2}) op.require_equal(product(op.input(i).shape()), 1, "scale of A");
  const int column = transpose_b ? 0 : 1;
  const Shape shape = {a.dim(transpose_a ? 1 : 0), b.dim(column)};
  const Parameter scale_b = parameter_of(op, 4, shape, 1);
  const Parameter zero_b = parameter_of(op, 5, b.shape(), column);
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), shape, "C");
  const bool real = !op.has_input(kScale);
  for (const int i : {kScale, kZero}) {
    if (op.has_input(i)) op.require_equal(product(op.input(i).shape()), 1, "scale of Y");
  }
  const Expr zero_a = op.input(2).scalar();
  const Factor left = {a, [=](const Expr& e, const Indices&) { return centred(e, zero_a); }};
  const Factor right = {b,
                        [=](const Expr& e, const Indices& at) { return centred(e, zero_b(at)); }};
  const Type type = real ? Type::f32 : op.has_input(kZero) ? op.input(kZero).type() : a.type();
  map_gemm(op, {left, right, transpose_a, transpose_b}, type,
           [&](const Expr& sum, const Indices& at) {
             const Expr total = op.has_input(kBias) ? sum + op.input(kBias).broadcast_at(at) : sum;
             const Expr scale = op.input(1).scalar() * scale_b(at) * alpha;
             const Expr value = Expr::cast(Type::f32, total) * scale;
             if (real) return value;
             return quantized(value / op.input(kScale).scalar(),
                              op.has_input(kZero) ? op.input(kZero).scalar() : Expr(), type);
           });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "QGemm",
                .inputs = {{"A", types::quantized8},
                           {"a_scale", types::f32},
                           {"a_zero_point", types::quantized8},
                           {"B", types::quantized8},
                           {"b_scale", types::f32},
                           {"b_zero_point", types::quantized8},
                           {"C", types::i32, Arity::optional},
                           {"y_scale", types::f32, Arity::optional},
                           {"y_zero_point", types::quantized8, Arity::optional}},
                .outputs = {{"Y"}},
                .attributes = {{"alpha", AttributeKind::real},
                               {"transA", AttributeKind::integer},
                               {"transB", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_q_gemm_op
