// CumProd: running products along an axis. Since opset 26.
#include "ops/api/math/running.h"

namespace burin::cum_prod_op {
namespace {

void lower(OpContext& op) { lower_running(op, Binary::mul, 1); }

}  // namespace

OpDef definition() { return running_op("CumProd", 26, lower); }

}  // namespace burin::cum_prod_op
