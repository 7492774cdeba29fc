// LpPool: the norm of order p (an integer, so since opset 2) of the taps of every window; padding
// counts as 0.
#include "ops/api/pool.h"

namespace burin {
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

OpDef op_lp_pool() {
  OpDef def{.name = "LpPool",
            .since = 2,
            .inputs = {{"X", types::floats}},
            .outputs = {{"Y"}},
            .attributes = window_attributes(),
            .lower = lower};
  def.attributes.push_back({"ceil_mode", AttributeKind::integer});
  def.attributes.push_back({"p", AttributeKind::integer});
  return def;
}

}  // namespace burin
