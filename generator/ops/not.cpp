// Not: logical negation of booleans.
#include "ops/api/math/elementwise.h"

namespace burin::not_op {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::logical_not); }

}  // namespace

OpDef definition() { return unary_op("Not", types::boolean, lower, 1); }

}  // namespace burin::not_op
