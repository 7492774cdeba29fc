// ReduceMin: the smallest element over axes; NaN where there is one. Of booleans (since opset 20):
// and.
#include "ops/api/math/reduce.h"

namespace burin::reduce_min_op {
namespace {

void lower(OpContext& op) {
  const bool logical = op.input(0).type() == Type::boolean;
  const Combiner combiner = logical ? Combiner::logical_and : Combiner::min;
  map_reduction(op, [&](const Reduction& r) { return r.reduce(combiner, r.element); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceMin", types::numeric | types::boolean, lower); }

}  // namespace burin::reduce_min_op
