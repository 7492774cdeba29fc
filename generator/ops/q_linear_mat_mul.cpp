// QLinearMatMul: the product of quantised matrices, exact in i32, then scaled and quantised. Since
// opset 10; the output has the type of its zero point.
#include "ops/api/contraction.h"
#include "ops/api/quantize.h"

namespace burin {
namespace {

Factor factor_of(OpContext& op, int input, bool left) {
  const Operand x = op.input(input);
  const Parameter zero = matrix_parameter(op, input + 2, x.shape(), left);
  return {x, [zero](const Expr& element, const Indices& at) { return centred(element, zero(at)); }};
}

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(3);
  const Type type = op.input(7).type();
  // Scales of rows and columns are read at points of the product.
  const Operand scale_a = op.input(1), scale_b = op.input(4), scale_y = op.input(6);
  const auto at_result = [](const Operand& p, const Indices& at, bool left) {
    if (p.rank() == 0 || (p.rank() == 1 && p.dim(0).is_constant(1))) return p.scalar();
    if (p.rank() == 1) return p.at({at[at.size() - (left ? 2 : 1)]});
    return p.broadcast_at(at);
  };
  if (a.rank() < 2 || b.rank() < 2) {
    op.require_equal(product(scale_a.shape()), 1, "scales of a vector");
    op.require_equal(product(scale_b.shape()), 1, "scales of a vector");
  } else {
    matrix_parameter(op, 1, a.shape(), true);
    matrix_parameter(op, 4, b.shape(), false);
  }
  map_matmul(op, {factor_of(op, 0, true), factor_of(op, 3, false)}, type,
             [&](const Expr& sum, const Indices& at) {
               const Expr scale = in_type(Type::f32, at_result(scale_a, at, true)) *
                                  in_type(Type::f32, at_result(scale_b, at, false)) /
                                  in_type(Type::f32, at_result(scale_y, at, true));
               return quantized(Expr::cast(Type::f32, sum) * scale,
                                at_result(op.input(7), at, true), type);
             });
}

}  // namespace

OpDef op_q_linear_mat_mul() {
  return {.name = "QLinearMatMul",
          .since = 10,
          .inputs = {{"a", types::quantized8},
                     {"a_scale", types::floats},
                     {"a_zero_point", types::quantized8},
                     {"b", types::quantized8},
                     {"b_scale", types::floats},
                     {"b_zero_point", types::quantized8},
                     {"y_scale", types::floats},
                     {"y_zero_point", types::quantized8}},
          .outputs = {{"y"}},
          .lower = lower};
}

}  // namespace burin
