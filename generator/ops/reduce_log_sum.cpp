// ReduceLogSum: the logarithm of the sum over axes; that of integers is computed in f64.
#include "ops/api/math/reduce.h"

namespace burin::reduce_log_sum_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) {
    return Expr::cast(r.element.type(), Expr::unary(Unary::log, r.sum(as_real(r.element))));
  });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceLogSum", types::numeric, lower); }

}  // namespace burin::reduce_log_sum_op
