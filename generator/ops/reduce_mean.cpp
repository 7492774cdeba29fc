// ReduceMean: the mean over axes; that of integers truncates.
#include "ops/api/math/reduce.h"

namespace burin::reduce_mean_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) {
    return r.sum(r.element) / Expr::cast(r.element.type(), Expr::index(r.count));
  });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceMean", types::numeric, lower); }

}  // namespace burin::reduce_mean_op
