// CumSum: running sums along an axis. Since opset 11.
#include "ops/api/math/running.h"

namespace burin::cum_sum_op {
namespace {

void lower(OpContext& op) { lower_running(op, Binary::add, 0); }

}  // namespace

OpDef definition() { return running_op("CumSum", 11, lower); }

}  // namespace burin::cum_sum_op
