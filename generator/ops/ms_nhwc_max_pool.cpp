// com.microsoft NhwcMaxPool: the largest tap of every window of a quantised tensor [N, spatial...,
// C]; padding never wins.
#include "ops/api/math/fused.h"
#include "ops/api/math/pool.h"

namespace burin::ms_nhwc_max_pool_op {
namespace {

void lower(OpContext& op) {
  map_pool(
      op,
      [](const Pool& pool, const Operand& y, const Indices& to) {
        const Expr tap = pool.tap(pool.x.at(pool.from), lowest_of(y.compute()));
        pool.kernel.write(y, to, pool.kernel.reduce(Combiner::max, pool.taps, tap));
      },
      true);
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "NhwcMaxPool",
                .inputs = {{"x", types::i8 | types::u8}},
                .outputs = {{"y"}},
                .attributes = {{"auto_pad", AttributeKind::text},
                               {"ceil_mode", AttributeKind::integer},
                               {"dilations", AttributeKind::integers},
                               {"kernel_shape", AttributeKind::integers, true},
                               {"pads", AttributeKind::integers},
                               {"strides", AttributeKind::integers}},
                .lower = lower});
}

}  // namespace burin::ms_nhwc_max_pool_op
