// com.microsoft QLinearGlobalAveragePool: the mean of every channel of a quantised tensor, exact in
// i32, quantised. channels_last: [N, spatial..., C]. Both scales and the count are one factor, as
// in onnxruntime: another order of roundings gives another byte where a mean lies half way.
#include "ops/api/math/sliding_window.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_global_average_pool_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  spatial_shape(x);
  const bool last = op.integer("channels_last", 0) != 0;
  const QuantizedBy from = quantized_by(op, 1), to = quantized_by(op, 3);
  const int channel = last ? x.rank() - 1 : 1;
  Shape shape(static_cast<size_t>(x.rank()), Dim(1));
  shape[0] = x.dim(0);
  shape[static_cast<size_t>(channel)] = x.dim(channel);
  const Operand y = op.output(0, x.type(), shape);
  KernelBuilder kernel;
  const Indices place = kernel.axes(shape);
  Indices at = place, row;
  Dim count = 1;
  for (int d = 1; d < x.rank(); ++d) {
    if (d == channel) continue;
    row.push_back(kernel.reduce_axis(x.dim(d)));
    at[static_cast<size_t>(d)] = row.back();
    count = count * x.dim(d);
  }
  const Expr sum = kernel.reduce(Combiner::sum, row, centred(x.at(at), from.zero));
  const Expr factor = from.scale / (to.scale * Expr::cast(Type::f32, Expr::index(count)));
  kernel.write(y, place, quantized(Expr::cast(Type::f32, sum) * factor, to.zero, y.type()));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  OpDef def = quantized_unary_op("QLinearGlobalAveragePool", lower);
  def.attributes = {{"channels_last", AttributeKind::integer}};
  return def;
}

}  // namespace burin::ms_q_linear_global_average_pool_op
