// com.microsoft RelativePositionBias: T5's bias of a query and a key, [1, heads, queries, keys],
// looked up by a bucket of their distance: near ones have a bucket each, the others share buckets
// that grow with the logarithm, those behind max_distance the last.
#include <cmath>

#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_relative_position_bias_op {
namespace {

Expr whole(int64_t value) { return Expr::constant(Type::i64, value); }

void lower(OpContext& op) {
  const Operand table = op.input(0);
  if (table.rank() != 2 || !table.dim(0).is_constant())
    refuse("shape-mismatch", "bias_table must be [buckets, heads], with a known number of buckets");
  for (int i = 1; i <= 2; ++i)
    op.require_equal(product(op.input(i).shape()), 1, "elements of a length");
  const Dim queries = op.elements(1, {0, kUnbounded})[0], keys = op.elements(2, {0, kUnbounded})[0];
  const int64_t distance = op.integer("max_distance");
  const bool both_ways = op.integer("is_bidirectional", 0) != 0;
  const int64_t buckets = table.dim(0).constant() / (both_ways ? 2 : 1);
  const int64_t exact = buckets / 2;
  if (exact < 1 || distance <= exact)
    refuse("bad-attribute", "max_distance is " + std::to_string(distance) + " for " +
                                std::to_string(buckets) + " buckets");
  require_pickable(op, table.dim(1) * queries * keys, table.dim(0));
  op.map(op.output(0, table.type(), {1, table.dim(1), queries, keys}), [&](const Indices& at) {
    const Expr ahead = Expr::index(at[3] - at[2]);
    const Expr apart = both_ways ? max(ahead, -ahead) : max(-ahead, whole(0));
    const double steps = static_cast<double>(buckets - exact) /
                         std::log(static_cast<double>(distance) / static_cast<double>(exact));
    const Expr ratio = Expr::cast(Type::f32, max(apart, whole(exact))) / static_cast<double>(exact);
    const Expr far = Expr::cast(Type::i64, Expr::unary(Unary::log, ratio) * steps) + whole(exact);
    Expr bucket =
        Expr::select(compare(Binary::lt, apart, whole(exact)), apart, min(far, whole(buckets - 1)));
    if (both_ways)
      bucket =
          bucket + Expr::select(compare(Binary::gt, ahead, whole(0)), whole(buckets), whole(0));
    return table.at({data_index(bucket, table.dim(0)), at[1]});
  });
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16);
  return ms_op(
      {.name = "RelativePositionBias",
       .inputs = {{"bias_table", real}, {"query_length", types::i64}, {"key_length", types::i64}},
       .outputs = {{"output"}},
       .attributes = {{"max_distance", AttributeKind::integer, true},
                      {"is_bidirectional", AttributeKind::integer}},
       .lower = lower});
}

}  // namespace burin::ms_relative_position_bias_op
