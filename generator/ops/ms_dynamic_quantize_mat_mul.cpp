// com.microsoft DynamicQuantizeMatMul: A quantised to u8 by its own range, times quantised B, exact
// in i32, then real, plus a bias.
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/dynamic_quantize.h"
#include "ops/api/quantized/quantize.h"

namespace burin::ms_dynamic_quantize_mat_mul_op {
namespace {

constexpr int kScale = 2, kZero = 3, kBias = 4;

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1);
  normalize_axis(1, b.rank(), "dimension of B");
  const Operand scale = op.temporary("scale", Type::f32, {});
  const Operand zero = op.temporary("zero", Type::u8, {});
  const Operand q = op.temporary("quantized", Type::u8, a.shape());
  fit_range(op, a, scale, zero);
  op.map(q, [&](const Indices& at) {
    return quantized(a.at(at) / scale.scalar(), zero.scalar(), Type::u8);
  });
  const Parameter zero_b = matrix_parameter(op, kZero, b.shape(), false);
  const Operand scale_b = op.input(kScale);
  const bool per_column = scale_b.rank() == 1 && !scale_b.dim(0).is_constant(1);
  if (per_column) {
    op.require_equal(scale_b.dim(0), b.dim(-1), "scales of B");
  } else {
    op.require_equal(product(scale_b.shape()), 1, "scale of B");
  }
  const Factor left = {q, [&](const Expr& e, const Indices&) { return centred(e, zero.scalar()); }};
  const Factor right = {b, [&](const Expr& e, const Indices& at) {
                          return centred(e, zero_b ? zero_b(at) : Expr());
                        }};
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {b.dim(-1)}, "bias");
  map_matmul(op, {left, right}, Type::f32, [&](const Expr& sum, const Indices& at) {
    const Expr by = scale.scalar() * (per_column ? scale_b.at({at.back()}) : scale_b.scalar());
    const Expr value = Expr::cast(Type::f32, sum) * by;
    return op.has_input(kBias) ? value + op.input(kBias).broadcast_at(at) : value;
  });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "DynamicQuantizeMatMul",
                .inputs = {{"A", types::f32},
                           {"B", types::quantized8},
                           {"b_scale", types::f32},
                           {"b_zero_point", types::quantized8, Arity::optional},
                           {"bias", types::f32, Arity::optional}},
                .outputs = {{"Y"}},
                .lower = lower});
}

}  // namespace burin::ms_dynamic_quantize_mat_mul_op
