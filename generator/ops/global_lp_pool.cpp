// GlobalLpPool: the norm of order p of every channel.
#include "ops/api/math/pool.h"

namespace burin::global_lp_pool_op {
namespace {

void lower(OpContext& op) {
  map_channels(op, [&](const Channel& channel) {
    return p_norm(norm_order(op), channel.element, [&](const Expr& term) {
      return channel.kernel.reduce(Combiner::sum, channel.row, term);
    });
  });
}

}  // namespace

OpDef definition() {
  OpDef def = global_pool_op("GlobalLpPool", types::floats, lower);
  def.attributes = norm_order_attributes();
  return def;
}

}  // namespace burin::global_lp_pool_op
