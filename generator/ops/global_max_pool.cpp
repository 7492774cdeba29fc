// GlobalMaxPool: the largest element of every channel.
#include "ops/api/math/pool.h"

namespace burin::global_max_pool_op {
namespace {

void lower(OpContext& op) {
  map_channels(op, [](const Channel& channel) {
    return channel.kernel.reduce(Combiner::max, channel.row, channel.element);
  });
}

}  // namespace

OpDef definition() { return global_pool_op("GlobalMaxPool", types::floats, lower); }

}  // namespace burin::global_max_pool_op
