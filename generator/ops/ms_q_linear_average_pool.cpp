// com.microsoft QLinearAveragePool: the mean of the taps of every window of a quantised tensor,
// quantised. channels_last: [N, spatial..., C]. Arithmetic is onnxruntime's: taps are dequantised
// and added in f32, and the zero point is added in front of the rounding, which decides between two
// bytes where a mean lies half way. With count_include_pad every sum is divided by all taps of the
// window, also by those behind the padding, which ceil_mode has (AveragePool leaves those out).
#include "ops/api/math/pool.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_average_pool_op {
namespace {

void lower(OpContext& op) {
  const bool channels_last = op.integer("channels_last", 0) != 0;
  const QuantizedBy from = quantized_by(op, 1), to = quantized_by(op, 3);
  const bool with_padding = op.integer("count_include_pad", 0) != 0;
  map_pool(
      op,
      [&](const Pool& pool, const Operand& y, const Indices& at) {
        const Expr tap =
            pool.tap(from.dequantize(pool.x.at(pool.from)), Expr::constant(Type::f32, 0));
        const Expr sum = pool.kernel.reduce(Combiner::sum, pool.taps, tap);
        Index taps = pool.count(false);
        if (with_padding) {
          taps = 1;
          for (const WindowAxis& axis : pool.window.axes) taps *= axis.size;
        }
        const Expr count = Expr::cast(Type::f32, Expr::index(taps));
        // A choice that chooses nothing, behind each rounding: factors are not folded across it.
        const Expr least = Expr::constant(Type::f32, -0x1p100);
        const Expr mean = max(max(sum, least) / count, least);
        const Expr shifted = max(mean / to.scale, least) + to.zero_f32();
        pool.kernel.write(y, at, quantized(shifted, {}, y.type()));
      },
      channels_last);
}

}  // namespace

OpDef definition() {
  OpDef def = quantized_unary_op("QLinearAveragePool", lower);
  def.attributes = {
      {"auto_pad", AttributeKind::text},        {"kernel_shape", AttributeKind::integers, true},
      {"strides", AttributeKind::integers},     {"pads", AttributeKind::integers},
      {"ceil_mode", AttributeKind::integer},    {"count_include_pad", AttributeKind::integer},
      {"channels_last", AttributeKind::integer}};
  return def;
}

}  // namespace burin::ms_q_linear_average_pool_op
