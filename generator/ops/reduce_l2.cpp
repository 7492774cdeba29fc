// ReduceL2: the root of the sum of squares over axes; that of integers is computed in f64.
#include "ops/api/math/reduce.h"

namespace burin::reduce_l2_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) {
    const Expr x = as_real(r.element);
    return Expr::cast(r.element.type(), Expr::unary(Unary::sqrt, r.sum(x * x)));
  });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceL2", types::numeric, lower); }

}  // namespace burin::reduce_l2_op
