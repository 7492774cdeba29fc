// ReduceL1: the sum of magnitudes over axes.
#include "ops/api/math/reduce.h"

namespace burin::reduce_l1_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) { return r.sum(Expr::unary(Unary::abs, r.element)); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceL1", types::numeric, lower); }

}  // namespace burin::reduce_l1_op
