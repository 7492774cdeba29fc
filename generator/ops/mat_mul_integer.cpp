// MatMulInteger: the product of 8-bit matrices without their zero points, exact in i32. Since opset
// 10.
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"

namespace burin::mat_mul_integer_op {
namespace {

Factor factor_of(OpContext& op, int input, int zero_input, bool left) {
  const Operand x = op.input(input);
  const Parameter zero = matrix_parameter(op, zero_input, x.shape(), left);
  return {x, [zero](const Expr& element, const Indices& at) {
            return centred(element, zero ? zero(at) : Expr());
          }};
}

void lower(OpContext& op) {
  map_matmul(op, {factor_of(op, 0, 2, true), factor_of(op, 1, 3, false)}, Type::i32,
             [](const Expr& sum, const Indices&) { return sum; });
}

}  // namespace

OpDef definition() {
  return {.name = "MatMulInteger",
          .since = 10,
          .inputs = {{"A", types::quantized8},
                     {"B", types::quantized8},
                     {"a_zero_point", types::quantized8, Arity::optional},
                     {"b_zero_point", types::quantized8, Arity::optional}},
          .outputs = {{"Y"}},
          .lower = lower};
}

}  // namespace burin::mat_mul_integer_op
