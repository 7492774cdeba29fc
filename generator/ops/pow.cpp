// Pow: z = x to the power y, broadcast, in the type of x. Since opset 12 the exponent may have
// another type: an integer base with a float exponent is computed in f64 and truncated. Constant
// exponents 2 and 3 are products.
#include <cmath>

#include "ops/api/core/scalars.h"
#include "ops/api/math/elementwise.h"

namespace burin::pow_op {
namespace {

Expr power(const Expr& x, const Expr& y) {
  if (x.type() == y.type()) return Expr::binary(Binary::pow, x, y);
  if (is_float(x.type())) return Expr::binary(Binary::pow, x, Expr::cast(x.type(), y));
  if (is_float(y.type())) {
    const Expr wide = Expr::binary(Binary::pow, Expr::cast(Type::f64, x), Expr::cast(Type::f64, y));
    return Expr::cast(x.type(), wide);
  }
  return Expr::cast(x.type(),
                    Expr::binary(Binary::pow, Expr::cast(Type::i64, x), Expr::cast(Type::i64, y)));
}

void lower(OpContext& op) {
  const std::optional<double> exponent = scalar_of(op.constant(1));
  const bool mixed = op.version() >= 12;
  map_binary(
      op,
      [&](const Expr& x, const Expr& y) {
        if (exponent == 2.0) return x * x;
        if (exponent == 3.0) return x * x * x;
        return power(x, y);
      },
      Type::none, mixed);
}

}  // namespace

OpDef definition() {
  OpDef def = binary_op("Pow", types::numeric, lower);
  def.inputs = {{"X", types::floats | types::i32 | types::i64}, {"Y", types::numeric}};
  def.outputs = {{"Z"}};
  return def;
}

}  // namespace burin::pow_op
