// Shrink: y = x + bias where x < -lambd, x - bias where x > lambd, 0 between. Integers are computed
// in f32 and truncated, as the reference does. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::shrink_op {
namespace {

void lower(OpContext& op) {
  const double lambd = op.real("lambd", 0.5), bias = op.real("bias", 0.0);
  const Type type = op.input(0).type();
  map_unary(op, [&](const Expr& given) {
    const Expr x = is_float(type) ? given : Expr::cast(Type::f32, given);
    const Expr low = compare(Binary::lt, x, Expr::constant(x.type(), -lambd));
    const Expr high = compare(Binary::gt, x, Expr::constant(x.type(), lambd));
    const Expr zero = Expr::constant(x.type(), 0);
    const Expr y = Expr::select(low, x + bias, Expr::select(high, x - bias, zero));
    return is_float(type) ? y : Expr::cast(type, y);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Shrink", types::numeric, lower, 9, "input", "output");
  def.attributes.insert(def.attributes.end(),
                        {{"bias", AttributeKind::real}, {"lambd", AttributeKind::real}});
  return def;
}

}  // namespace burin::shrink_op
