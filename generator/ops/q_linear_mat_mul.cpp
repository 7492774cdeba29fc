// QLinearMatMul: the product of quantised matrices, then scaled and quantised; sums are exact in
// i32, with 8-bit floats (since opset 21) they are sums in f32. Since opset 10; the output has the
// type of its zero point.
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"

namespace burin::q_linear_mat_mul_op {
namespace {

Factor factor_of(OpContext& op, int input, bool left, Type compute) {
  const Operand x = op.input(input);
  const Parameter zero = matrix_parameter(op, input + 2, x.shape(), left);
  return {x, [zero, compute](const Expr& element, const Indices& at) {
            return in_type(compute, centred(element, zero(at)));
          }};
}

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(3);
  const Type type = op.input(7).type();
  const Type compute = is_float(a.type()) || is_float(b.type()) ? Type::f32 : Type::i32;
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
    op.require_equal(product(scale_y.shape()), 1, "scales of a vector");
    op.require_equal(product(op.input(7).shape()), 1, "zero points of a vector");
  } else {
    matrix_parameter(op, 1, a.shape(), true);
    matrix_parameter(op, 4, b.shape(), false);
    for (const int of_y : {6, 7}) matrix_parameter(op, of_y, a.shape(), true);
  }
  map_matmul(op, {factor_of(op, 0, true, compute), factor_of(op, 3, false, compute)}, type,
             [&](const Expr& sum, const Indices& at) {
               const Expr scale = in_type(Type::f32, at_result(scale_a, at, true)) *
                                  in_type(Type::f32, at_result(scale_b, at, false)) /
                                  in_type(Type::f32, at_result(scale_y, at, true));
               return quantized(in_type(Type::f32, sum) * scale, at_result(op.input(7), at, true),
                                type);
             });
}

Formal factor(std::string name, Opsets opsets) {
  const TypeSet types = opsets.first < 21 ? types::quantized8 : types::quantized8 | types::narrow8;
  return {std::move(name), types, Arity::required, opsets};
}

}  // namespace

OpDef definition() {
  return {.name = "QLinearMatMul",
          .since = 10,
          .inputs = {factor("a", until(20)),
                     factor("a", since(21)),
                     {"a_scale", types::floats},
                     factor("a_zero_point", until(20)),
                     factor("a_zero_point", since(21)),
                     factor("b", until(20)),
                     factor("b", since(21)),
                     {"b_scale", types::floats},
                     factor("b_zero_point", until(20)),
                     factor("b_zero_point", since(21)),
                     {"y_scale", types::floats},
                     factor("y_zero_point", until(20)),
                     factor("y_zero_point", since(21))},
          .outputs = {{"y"}},
          .lower = lower};
}

}  // namespace burin::q_linear_mat_mul_op
