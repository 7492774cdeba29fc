// Erf: the error function. Integers, which opset 9 has too, give -1, 0 or 1. Since opset 9.
#include "ops/api/math/elementwise.h"

namespace burin::erf_op {
namespace {

void lower(OpContext& op) {
  map_unary(op, [](const Expr& x) {
    if (is_float(x.type())) return Expr::unary(Unary::erf, x);
    return Expr::cast(x.type(), Expr::unary(Unary::erf, Expr::cast(Type::f32, x)));
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Erf", types::floats, lower, 9, "input", "output");
  def.inputs = {{"input", types::numeric, Arity::required, until(12)},
                {"input", types::floats, Arity::required, since(13)}};
  return def;
}

}  // namespace burin::erf_op
