// Add: c = a + b; integers wrap.
#include "ops/api/math/elementwise.h"

namespace burin::add_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::add); }

}  // namespace

OpDef definition() { return overwriting(binary_op("Add", types::numeric, lower, 1)); }

}  // namespace burin::add_op
