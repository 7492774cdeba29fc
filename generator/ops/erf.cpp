// Erf: the error function. Floats only: the specification also lists integers, whose results would
// be -1, 0 or 1. Since opset 9.
#include "ops/api/elementwise.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_unary(op, Unary::erf); }

}  // namespace

OpDef op_erf() { return unary_op("Erf", types::floats, lower, 9, "input", "output"); }

}  // namespace burin
