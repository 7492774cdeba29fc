// com.microsoft QLinearMul: the product of two quantised tensors, broadcast, quantised. The product
// is exact in i32, all scales are one factor.
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_mul_op {
namespace {

void lower(OpContext& op) {
  map_quantized_binary(op, [](const QuantizedPair& q) {
    const Expr product = centred(q.a, q.by_a.zero) * centred(q.b, q.by_b.zero);
    const Expr factor = q.by_a.scale * q.by_b.scale / q.to.scale;
    return Expr::cast(Type::f32, product) * factor + q.to.zero_f32();
  });
}

}  // namespace

OpDef definition() { return quantized_binary_op("QLinearMul", lower); }

}  // namespace burin::ms_q_linear_mul_op
