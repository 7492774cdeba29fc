// The operation in floats, whose result is rounded. Of sums, differences, products and quotients
// that is the nearest half: 24 bits are at least 2 * 11 + 2, so that rounding twice is rounding
// once (Figueroa, When is double rounding innocuous?). What selects, compares or changes signs is
// exact.
#include "kernel/expr/scalar_fp16.h"

#include <string>

#include "support/check.h"

namespace burin {
namespace {

template <Binary kOp>
ScalarValue rounded(ScalarValue a, ScalarValue b) {
  static const BinaryFunction in_floats = function_of(kOp, Type::f32);
  return stored(Type::f16, in_floats(a, b));
}

}  // namespace

UnaryFunction fp16_function_of(Unary op) {
  const bool exact = op == Unary::neg || op == Unary::abs || op == Unary::sign ||
                     op == Unary::is_nan || op == Unary::is_inf;
  BURIN_CHECK(exact, std::string(to_string(op)) + " in fp16");
  return function_of(op, Type::f32);
}

BinaryFunction fp16_function_of(Binary op) {
  switch (op) {
    case Binary::add:
      return rounded<Binary::add>;
    case Binary::sub:
      return rounded<Binary::sub>;
    case Binary::mul:
      return rounded<Binary::mul>;
    case Binary::div:
      return rounded<Binary::div>;
    default:
      break;
  }
  BURIN_CHECK(op == Binary::min || op == Binary::max || is_comparison(op),
              std::string(to_string(op)) + " in fp16");
  return function_of(op, Type::f32);
}

}  // namespace burin
