// com.microsoft QLinearAdd: the sum of two quantised tensors, broadcast, quantised:
// a * (sa / sc) + (b * (sb / sc) + z), where z is what all three zero points come to.
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_add_op {
namespace {

void lower(OpContext& op) {
  map_quantized_binary(op, [](const QuantizedPair& q) {
    const Expr ratio_a = q.by_a.scale / q.to.scale, ratio_b = q.by_b.scale / q.to.scale;
    const Expr fixed =
        q.to.zero_f32() - (ratio_a * q.by_a.zero_f32() + ratio_b * q.by_b.zero_f32());
    return in_type(Type::f32, q.a) * ratio_a + (in_type(Type::f32, q.b) * ratio_b + fixed);
  });
}

}  // namespace

OpDef definition() { return quantized_binary_op("QLinearAdd", lower); }

}  // namespace burin::ms_q_linear_add_op
