// Mod: the remainder of a / b. With fmod = 0 it has the sign of b (floats since opset 28), with
// fmod = 1 that of a. A remainder of integers by zero is 0. Since opset 10.
#include "ops/api/math/elementwise.h"
#include "support/diagnostics.h"

namespace burin::mod_op {
namespace {

// That of floats with the sign of b, of a zero too.
Expr floored(const Expr& a, const Expr& b) {
  const Expr rest = Expr::binary(Binary::fmod, a, b), zero = Expr::constant(a.type(), 0);
  const Expr below = compare(Binary::lt, b, zero);
  const Expr other_sign = Expr::binary(Binary::logical_xor, compare(Binary::lt, rest, zero), below);
  const Expr none = compare(Binary::eq, rest, zero);
  return Expr::select(none, Expr::select(below, Expr::constant(a.type(), -0.0), zero),
                      Expr::select(other_sign, rest + b, rest));
}

void lower(OpContext& op) {
  const bool fmod = op.integer("fmod", 0) != 0;
  if (!fmod && is_float(op.input(0).type())) {
    if (op.version() < 28)
      refuse("bad-attribute", "fmod is 0 and the inputs are floats; floats need fmod = 1");
    return map_binary(op, floored);
  }
  map_binary(op, fmod ? Binary::fmod : Binary::mod);
}

}  // namespace

OpDef definition() {
  OpDef def = binary_op("Mod", types::numeric, lower, 10);
  def.attributes = {{"fmod", AttributeKind::integer}};
  return def;
}

}  // namespace burin::mod_op
