// ArgMin: where along axis the smallest element is, as i64; of equal ones the first, or the last
// with select_last_index (since opset 12).
#include "ops/api/math/arg_extreme.h"

namespace burin::arg_min_op {
namespace {

void lower(OpContext& op) { map_arg_extreme(op, Combiner::first_min, Combiner::last_min); }

}  // namespace

OpDef definition() { return arg_extreme_op("ArgMin", lower); }

}  // namespace burin::arg_min_op
