// ReduceLogSumExp: the logarithm of the sum of exponentials over axes, computed as m +
// log(sum(exp(x - m))) with m the largest element, so that it does not overflow. An infinite m is
// left out of the difference: infinity minus itself is not a number.
#include "ops/api/math/reduce.h"

namespace burin::reduce_log_sum_exp_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) {
    const Expr x = as_real(r.element);
    const Expr largest = r.reduce(Combiner::max, x);
    const Expr zero = Expr::constant(x.type(), 0);
    const Expr shift = Expr::select(Expr::unary(Unary::is_inf, largest), zero, largest);
    const Expr total = r.sum(Expr::unary(Unary::exp, x - shift));
    return Expr::cast(r.element.type(), shift + Expr::unary(Unary::log, total));
  });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceLogSumExp", types::numeric, lower); }

}  // namespace burin::reduce_log_sum_exp_op
