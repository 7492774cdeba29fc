// Gelu: y = x/2 * (1 + erf(x / sqrt(2))), or with approximate = "tanh" y = x/2 * (1 +
// tanh(sqrt(2/pi) * (x + 0.044715 x^3))). Since opset 20.
#include "ops/api/math/elementwise.h"
#include "support/diagnostics.h"

namespace burin::gelu_op {
namespace {

void lower(OpContext& op) {
  const std::string approximate = op.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    refuse("bad-attribute", "approximate is " + quoted(approximate) + "; none and tanh exist");
  map_unary(op, [&](const Expr& x) {
    const Expr inner =
        approximate == "none"
            ? Expr::unary(Unary::erf, x * 0.70710678118654752440)
            : Expr::unary(Unary::tanh, (x + x * x * x * 0.044715) * 0.79788456080286535588);
    return x * 0.5 * (inner + 1.0);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Gelu", types::floats, lower, 20);
  def.attributes.insert(def.attributes.end(), {{"approximate", AttributeKind::text}});
  return def;
}

}  // namespace burin::gelu_op
