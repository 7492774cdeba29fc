// ReduceSum: the sum over axes; integers wrap.
#include "ops/api/math/reduce.h"

namespace burin::reduce_sum_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) { return r.sum(r.element); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceSum", types::numeric, lower, 13); }

}  // namespace burin::reduce_sum_op
