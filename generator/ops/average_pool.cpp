// AveragePool: the mean of the taps of every window, over those inside the input, or with
// count_include_pad over those inside the input and its padding.
#include "ops/api/math/pool.h"

namespace burin::average_pool_op {
namespace {

void lower(OpContext& op) {
  const bool with_padding = op.integer("count_include_pad", 0) != 0;
  map_pool(op, [&](const Pool& pool, const Operand& y, const Indices& to) {
    const Expr tap = pool.tap(pool.x.at(pool.from), y.zero());
    const Expr sum = pool.kernel.reduce(Combiner::sum, pool.taps, tap);
    pool.kernel.write(y, to, sum / Expr::cast(sum.type(), Expr::index(pool.count(with_padding))));
  });
}

}  // namespace

OpDef definition() {
  OpDef def{.name = "AveragePool",
            .inputs = {{"X", types::floats}},
            .outputs = {{"Y"}},
            .attributes = window_attributes(true, 19),
            .lower = lower};
  def.attributes.push_back({"ceil_mode", AttributeKind::integer, false, since(10)});
  def.attributes.push_back({"count_include_pad", AttributeKind::integer, false, since(7)});
  return def;
}

}  // namespace burin::average_pool_op
