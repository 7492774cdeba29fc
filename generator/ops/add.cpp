// Add: c = a + b; integers wrap.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::add); }

}  // namespace

OpDef op_add() { return overwriting(binary_op("Add", types::numeric, lower, 1)); }

}  // namespace burin
