#include "ops/api/quantized/dynamic_quantize.h"

#include "ops/api/quantized/quantize.h"

namespace burin {

void fit_range(OpContext& op, const Operand& x, const Operand& scale, const Operand& zero) {
  KernelBuilder kernel;
  Indices at;
  for (const Dim& extent : x.shape()) at.push_back(kernel.reduce_axis(extent));
  const Expr least = min(kernel.reduce(Combiner::min, at, x.at(at)), x.zero());
  const Expr most = max(kernel.reduce(Combiner::max, at, x.at(at)), x.zero());
  // A tensor of zeros: any scale will do.
  const Expr width = (most - least) / 255.0;
  const Expr none = compare(Binary::eq, width, x.zero());
  const Expr step = kernel.let({}, Expr::select(none, x.constant(1), width));
  kernel.write(scale, {}, step);
  kernel.write(zero, {}, quantized((-least) / step, {}, Type::u8));
  op.emit(kernel);
}

}  // namespace burin
