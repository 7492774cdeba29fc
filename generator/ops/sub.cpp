// Sub: c = a - b; integers wrap.
#include "ops/api/math/elementwise.h"

namespace burin::sub_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::sub); }

}  // namespace

OpDef definition() { return overwriting(binary_op("Sub", types::numeric, lower, 1)); }

}  // namespace burin::sub_op
