// com.microsoft MatMulIntegerToFloat: the product of 8-bit matrices without their zero points,
// exact in i32, times both scales, plus a bias.
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"

namespace burin::ms_mat_mul_integer_to_float_op {
namespace {

enum Input { kA, kB, kScaleA, kScaleB, kZeroA, kZeroB, kBias };

Factor factor_of(OpContext& op, int input, int zero_input, bool left) {
  const Operand x = op.input(input);
  const Parameter zero = matrix_parameter(op, zero_input, x.shape(), left);
  return {x, [zero](const Expr& element, const Indices& at) {
            return centred(element, zero ? zero(at) : Expr());
          }};
}

void lower(OpContext& op) {
  const Operand b = op.input(kB), scale_a = op.input(kScaleA), scale_b = op.input(kScaleB);
  normalize_axis(1, b.rank(), "dimension of B");  // a list of scales is of its columns
  require_one_type(op, {kScaleA, kScaleB, kBias});
  op.require_equal(product(scale_a.shape()), 1, "scale of A");
  const bool per_column = scale_b.rank() == 1 && !scale_b.dim(0).is_constant(1);
  op.require_equal(product(scale_b.shape()), per_column ? b.dim(-1) : Dim(1), "scales of B");
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {b.dim(-1)}, "bias");
  map_matmul(op, {factor_of(op, kA, kZeroA, true), factor_of(op, kB, kZeroB, false)},
             scale_a.type(), [&](const Expr& sum, const Indices& at) {
               const Expr by =
                   scale_a.scalar() * (per_column ? scale_b.at({at.back()}) : scale_b.scalar());
               const Expr value = Expr::cast(by.type(), sum) * by;
               return op.has_input(kBias) ? value + op.input(kBias).broadcast_at(at) : value;
             });
}

}  // namespace

OpDef definition() {
  const TypeSet reals = types::f32 | only(Type::f16);
  return ms_op({.name = "MatMulIntegerToFloat",
                .inputs = {{"A", types::quantized8},
                           {"B", types::quantized8},
                           {"a_scale", reals},
                           {"b_scale", reals},
                           {"a_zero_point", types::quantized8, Arity::optional},
                           {"b_zero_point", types::quantized8, Arity::optional},
                           {"bias", reals, Arity::optional}},
                .outputs = {{"Y"}},
                .lower = lower});
}

}  // namespace burin::ms_mat_mul_integer_to_float_op
