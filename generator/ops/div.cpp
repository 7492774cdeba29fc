// Div: c = a / b; integers truncate towards zero, and a division of integers by zero gives 0.
#include "ops/api/math/elementwise.h"

namespace burin::div_op {
namespace {

void lower(OpContext& op) { map_binary(op, Binary::div); }

}  // namespace

OpDef definition() { return overwriting(binary_op("Div", types::numeric, lower, 1)); }

}  // namespace burin::div_op
