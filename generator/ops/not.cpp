// Not: logical negation of booleans.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::logical_not); }

}  // namespace

OpDef op_not() { return unary_op("Not", types::boolean, lower, 1); }

}  // namespace burin
