#include "ops/api/math/cosine_window.h"

#include <numbers>

#include "ops/api/core/scalars.h"
#include "ops/api/math/sums_of_products.h"

namespace burin {

void map_cosine_window(OpContext& op, double a0, double a1, double a2) {
  op.require_equal(product(op.input(0).shape()), 1, "elements of size");
  const Dim size = op.elements(0, {0, kUnbounded})[0];
  op.require({{size, 0, size + 1}}, "size");
  const bool periodic = op.integer("periodic", 1) != 0;
  const Operand y = op.output(0, type_of_onnx(op.integer("output_datatype", 1)), {size});
  const Dim period = max(periodic ? size : size - 1, 1);
  op.map(y, [&](const Indices& at) {
    const auto wave = [&](int64_t times) {
      const Expr turn = Expr::cast(Type::f64, Expr::index(mod(at[0] * times, period))) /
                        Expr::cast(Type::f64, Expr::index(period));
      return Expr::unary(Unary::cos, turn * (2 * std::numbers::pi));
    };
    Expr value = a0 - wave(1) * a1;
    if (a2 != 0) value = value + wave(2) * a2;
    return in_type(y.compute(), value);
  });
}

OpDef cosine_window_op(std::string name, void (*lower)(OpContext&)) {
  return {.name = std::move(name),
          .since = 17,
          .inputs = {{"size", types::indices}},
          .outputs = {{"output"}},
          .attributes = {{"output_datatype", AttributeKind::integer},
                         {"periodic", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin
