// ReduceSumSquare: the sum of squares over axes.
#include "ops/api/math/reduce.h"

namespace burin::reduce_sum_square_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) { return r.sum(r.element * r.element); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceSumSquare", types::numeric, lower); }

}  // namespace burin::reduce_sum_square_op
