// GlobalMaxPool: the largest element of every channel.
#include "ops/api/pool.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  map_channels(op, [](const Channel& channel) {
    return channel.kernel.reduce(Combiner::max, channel.row, channel.element);
  });
}

}  // namespace

OpDef op_global_max_pool() { return global_pool_op("GlobalMaxPool", types::floats, lower); }

}  // namespace burin
