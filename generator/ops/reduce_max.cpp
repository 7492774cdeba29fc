// ReduceMax: the largest element over axes; NaN where there is one. Of booleans (since opset 20):
// or.
#include "ops/api/math/reduce.h"

namespace burin::reduce_max_op {
namespace {

void lower(OpContext& op) {
  const bool logical = op.input(0).type() == Type::boolean;
  const Combiner combiner = logical ? Combiner::logical_or : Combiner::max;
  map_reduction(op, [&](const Reduction& r) { return r.reduce(combiner, r.element); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceMax", types::numeric | types::boolean, lower); }

}  // namespace burin::reduce_max_op
