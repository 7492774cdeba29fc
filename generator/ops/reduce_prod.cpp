// ReduceProd: the product over axes; integers wrap.
#include "ops/api/math/reduce.h"

namespace burin::reduce_prod_op {
namespace {

void lower(OpContext& op) {
  map_reduction(op, [](const Reduction& r) { return r.reduce(Combiner::product, r.element); });
}

}  // namespace

OpDef definition() { return reduce_op("ReduceProd", types::numeric, lower); }

}  // namespace burin::reduce_prod_op
