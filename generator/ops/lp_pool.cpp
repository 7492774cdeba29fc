// LpPool: the norm of order p of the taps of every window; padding
// counts as 0.
#include "ops/api/math/pool.h"

namespace burin::lp_pool_op {
namespace {

void lower(OpContext& op) {
  map_pool(op, [&](const Pool& pool, const Operand& y, const Indices& to) {
    const Expr norm = p_norm(norm_order(op), pool.x.at(pool.from), [&](const Expr& term) {
      return pool.kernel.reduce(Combiner::sum, pool.taps, pool.tap(term, y.zero()));
    });
    pool.kernel.write(y, to, norm);
  });
}

}  // namespace

OpDef definition() {
  OpDef def{.name = "LpPool",
            .inputs = {{"X", types::floats}},
            .outputs = {{"Y"}},
            .attributes = window_attributes(true, 18),
            .lower = lower};
  def.attributes.push_back({"ceil_mode", AttributeKind::integer, false, since(18)});
  for (const AttributeDef& order : norm_order_attributes()) def.attributes.push_back(order);
  return def;
}

}  // namespace burin::lp_pool_op
