// MaxPool: the largest tap of every window; padding never wins. Since opset 8 optionally with the
// place of that tap in X, as one number (row-major, or with the first spatial dimension fastest
// where storage_order is 1).
#include "ops/api/math/pool.h"

namespace burin::max_pool_op {
namespace {

Index place_of(const Pool& pool, bool column_major) {
  const Shape& shape = pool.x.shape();
  if (!column_major) return linearize(pool.from, shape);
  Index place = 0;
  Dim stride = 1;
  for (size_t d = 2; d < shape.size(); ++d) {
    place += pool.from[d] * stride;
    stride = stride * shape[d];
  }
  return (pool.from[0] * shape[1] + pool.from[1]) * stride + place;
}

// Where the first tap of the window that is not in the padding lies: what padding stands for, so
// that a window whose largest element is the lowest of its type still names one of its own.
Pool at_first_tap(const Pool& pool) {
  Pool first = pool;
  for (size_t d = 0; d < pool.o.size(); ++d) {
    const WindowAxis& axis = pool.window.axes[d];
    const Index missing = ceildiv(axis.before - pool.o[d] * axis.stride, axis.dilation);
    first.from[d + 2] = axis.at(pool.o[d], max(missing, 0));
  }
  return first;
}

void lower(OpContext& op) {
  const bool column_major = op.integer("storage_order", 0) != 0;
  map_pool(op, [&](const Pool& pool, const Operand& y, const Indices& to) {
    const Expr tap = pool.tap(pool.x.at(pool.from), lowest_of(y.compute()));
    if (!op.has_output(1)) {
      pool.kernel.write(y, to, pool.kernel.reduce(Combiner::max, pool.taps, tap));
      return;
    }
    const Operand indices = op.output(1, Type::i64, y.shape());
    const Expr best = pool.kernel.reduce(Combiner::max, pool.taps, tap);
    pool.kernel.write(y, to, best);
    // The place of the first tap inside that is the largest, whatever that is.
    const auto rank = [](int value) { return Expr::constant(Type::i32, int64_t{value}); };
    const Expr element = pool.x.at(pool.from);
    Expr found = compare(Binary::eq, element, best);
    if (is_float(y.compute())) {
      const auto is_nan = [](const Expr& x) { return Expr::unary(Unary::is_nan, x); };
      found = Expr::binary(Binary::logical_or, found,
                           Expr::binary(Binary::logical_and, is_nan(element), is_nan(best)));
    }
    const Expr key = pool.tap(Expr::select(found, rank(1), rank(0)), rank(-1));
    const Expr place = pool.tap(Expr::index(place_of(pool, column_major)),
                                Expr::index(place_of(at_first_tap(pool), column_major)));
    pool.kernel.write(indices, to,
                      pool.kernel.reduce_tuple(Combiner::first_max, pool.taps, {key, place})[1]);
  });
}

}  // namespace

OpDef definition() {
  OpDef def{.name = "MaxPool",
            .inputs = {{"X", types::floats | types::i8 | types::u8}},
            .outputs = {{"Y"}, {"Indices", types::i64, Arity::optional, since(8)}},
            .attributes = window_attributes(true, 10),
            .lower = lower};
  def.attributes.push_back({"ceil_mode", AttributeKind::integer, false, since(10)});
  def.attributes.push_back({"storage_order", AttributeKind::integer, false, since(8)});
  return def;
}

}  // namespace burin::max_pool_op
