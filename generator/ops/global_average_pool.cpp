// GlobalAveragePool: the mean of every channel over its spatial dimensions.
#include "ops/api/math/pool.h"

namespace burin::global_average_pool_op {
namespace {

void lower(OpContext& op) {
  map_channels(op, [](const Channel& channel) {
    const Expr sum = channel.kernel.reduce(Combiner::sum, channel.row, channel.element);
    return sum / Expr::cast(sum.type(), Expr::index(channel.count));
  });
}

}  // namespace

OpDef definition() { return global_pool_op("GlobalAveragePool", types::floats, lower); }

}  // namespace burin::global_average_pool_op
