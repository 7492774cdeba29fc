// The table of operations: one function per operator and C++ type, found through function_of.
#include "kernel/expr/scalar.h"

#include <string>

#include "kernel/expr/scalar_convert.h"
#include "kernel/expr/scalar_fp16.h"
#include "runtime_min/elementary.h"
#include "runtime_min/erf.h"
#include "runtime_min/exp.h"
#include "runtime_min/fmod.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/integer.h"
#include "runtime_min/inverse_trig.h"
#include "runtime_min/log.h"
#include "runtime_min/pow.h"
#include "runtime_min/round.h"
#include "runtime_min/sqrt.h"
#include "runtime_min/trig.h"
#include "support/check.h"

namespace burin {
namespace {

// Comparisons, the same for every type.
template <class T>
struct Ordered {
  static bool lt(T a, T b) { return a < b; }
  static bool le(T a, T b) { return a <= b; }
  static bool gt(T a, T b) { return a > b; }
  static bool ge(T a, T b) { return a >= b; }
  static bool eq(T a, T b) { return a == b; }
  static bool ne(T a, T b) { return a != b; }
};

template <class T>
struct Floats : Ordered<T> {
  static T add(T a, T b) { return a + b; }
  static T sub(T a, T b) { return a - b; }
  static T mul(T a, T b) { return a * b; }
  static T div(T a, T b) { return a / b; }
  static T neg(T a) { return -a; }
};

template <class T>
struct Integers : Ordered<T> {
  static T bit_and(T a, T b) { return static_cast<T>(a & b); }
  static T bit_or(T a, T b) { return static_cast<T>(a | b); }
  static T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
  static T bit_not(T a) { return static_cast<T>(~a); }
  static T popcount(T a) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(burin_rt::popcount(uint64_t{static_cast<Unsigned>(a)}));
  }
};

struct Booleans : Ordered<bool> {
  static bool both(bool a, bool b) { return a && b; }
  static bool either(bool a, bool b) { return a || b; }
  static bool differ(bool a, bool b) { return a != b; }
  static bool flip(bool a) { return !a; }
};

template <class T, auto kFunction>
ScalarValue call1(ScalarValue a) {
  return put(kFunction(get<T>(a)));
}

template <class T, auto kFunction>
ScalarValue call2(ScalarValue a, ScalarValue b) {
  return put(kFunction(get<T>(a), get<T>(b)));
}

// The overload of a function of runtime_min for T.
template <class T>
using Map = T (*)(T);
template <class T>
using Fold = T (*)(T, T);
template <class T, Map<T> kFunction>
constexpr UnaryFunction kMath1 = call1<T, kFunction>;
template <class T, Fold<T> kFunction>
constexpr BinaryFunction kMath2 = call2<T, kFunction>;

template <class T>
UnaryFunction float_unary(Unary op) {
  using F = Floats<T>;
  switch (op) {
    case Unary::neg:
      return call1<T, F::neg>;
    case Unary::abs:
      return kMath1<T, burin_rt::absolute>;
    case Unary::sign:
      return kMath1<T, burin_rt::sign<T>>;
    case Unary::sqrt:
      return kMath1<T, burin_rt::sqrt>;
    case Unary::rsqrt:
      return kMath1<T, burin_rt::rsqrt>;
    case Unary::exp:
      return kMath1<T, burin_rt::exp>;
    case Unary::log:
      return kMath1<T, burin_rt::log>;
    case Unary::log1p:
      return kMath1<T, burin_rt::log1p>;
    case Unary::expm1:
      return kMath1<T, burin_rt::expm1>;
    case Unary::sin:
      return kMath1<T, burin_rt::sin>;
    case Unary::cos:
      return kMath1<T, burin_rt::cos>;
    case Unary::tan:
      return kMath1<T, burin_rt::tan>;
    case Unary::asin:
      return kMath1<T, burin_rt::asin>;
    case Unary::acos:
      return kMath1<T, burin_rt::acos>;
    case Unary::atan:
      return kMath1<T, burin_rt::atan>;
    case Unary::sinh:
      return kMath1<T, burin_rt::sinh>;
    case Unary::cosh:
      return kMath1<T, burin_rt::cosh>;
    case Unary::tanh:
      return kMath1<T, burin_rt::tanh>;
    case Unary::asinh:
      return kMath1<T, burin_rt::asinh>;
    case Unary::acosh:
      return kMath1<T, burin_rt::acosh>;
    case Unary::atanh:
      return kMath1<T, burin_rt::atanh>;
    case Unary::erf:
      return kMath1<T, burin_rt::erf>;
    case Unary::floor:
      return kMath1<T, burin_rt::floor>;
    case Unary::ceil:
      return kMath1<T, burin_rt::ceil>;
    case Unary::trunc:
      return kMath1<T, burin_rt::trunc>;
    case Unary::round:
      return kMath1<T, burin_rt::round_half_even>;
    case Unary::is_nan:
      return call1<T, static_cast<bool (*)(T)>(burin_rt::isnan)>;
    case Unary::is_inf:
      return call1<T, static_cast<bool (*)(T)>(burin_rt::isinf)>;
    default:
      return nullptr;
  }
}

template <class T>
UnaryFunction integer_unary(Unary op) {
  using I = Integers<T>;
  switch (op) {
    case Unary::neg:
      return kMath1<T, burin_rt::negate_wrap<T>>;
    case Unary::abs:
      return kMath1<T, burin_rt::absolute<T>>;
    case Unary::sign:
      return kMath1<T, burin_rt::sign<T>>;
    case Unary::bit_not:
      return call1<T, I::bit_not>;
    case Unary::popcount:
      return call1<T, I::popcount>;
    default:
      return nullptr;
  }
}

template <class T, class Operations>
BinaryFunction comparison(Binary op) {
  switch (op) {
    case Binary::lt:
      return call2<T, Operations::lt>;
    case Binary::le:
      return call2<T, Operations::le>;
    case Binary::gt:
      return call2<T, Operations::gt>;
    case Binary::ge:
      return call2<T, Operations::ge>;
    case Binary::eq:
      return call2<T, Operations::eq>;
    case Binary::ne:
      return call2<T, Operations::ne>;
    default:
      return nullptr;
  }
}

template <class T>
BinaryFunction float_binary(Binary op) {
  using F = Floats<T>;
  switch (op) {
    case Binary::add:
      return call2<T, F::add>;
    case Binary::sub:
      return call2<T, F::sub>;
    case Binary::mul:
      return call2<T, F::mul>;
    case Binary::div:
      return call2<T, F::div>;
    case Binary::mod:
      return kMath2<T, burin_rt::mod>;
    case Binary::fmod:
      return kMath2<T, burin_rt::fmod>;
    case Binary::min:
      return kMath2<T, burin_rt::minimum>;
    case Binary::max:
      return kMath2<T, burin_rt::maximum>;
    case Binary::pow:
      return kMath2<T, burin_rt::pow>;
    case Binary::atan2:
      return kMath2<T, burin_rt::atan2>;
    default:
      return comparison<T, F>(op);
  }
}

template <class T>
BinaryFunction integer_binary(Binary op) {
  using I = Integers<T>;
  switch (op) {
    case Binary::add:
      return kMath2<T, burin_rt::add_wrap<T>>;
    case Binary::sub:
      return kMath2<T, burin_rt::subtract_wrap<T>>;
    case Binary::mul:
      return kMath2<T, burin_rt::multiply_wrap<T>>;
    case Binary::div:
      return kMath2<T, burin_rt::divide<T>>;
    case Binary::mod:
      return kMath2<T, burin_rt::floor_mod<T>>;
    case Binary::fmod:
      return kMath2<T, burin_rt::remainder<T>>;
    case Binary::min:
      return kMath2<T, burin_rt::minimum>;
    case Binary::max:
      return kMath2<T, burin_rt::maximum>;
    case Binary::pow:
      return kMath2<T, burin_rt::integer_pow<T, T>>;
    case Binary::bit_and:
      return call2<T, I::bit_and>;
    case Binary::bit_or:
      return call2<T, I::bit_or>;
    case Binary::bit_xor:
      return call2<T, I::bit_xor>;
    case Binary::shift_left:
      return kMath2<T, burin_rt::shift_left<T>>;
    case Binary::shift_right:
      return kMath2<T, burin_rt::shift_right<T>>;
    default:
      return comparison<T, I>(op);
  }
}

// On booleans, * and min are "and", + and max are "or", - is "xor".
BinaryFunction boolean_binary(Binary op) {
  switch (op) {
    case Binary::logical_and:
    case Binary::bit_and:
    case Binary::mul:
    case Binary::min:
      return call2<bool, Booleans::both>;
    case Binary::logical_or:
    case Binary::bit_or:
    case Binary::add:
    case Binary::max:
      return call2<bool, Booleans::either>;
    case Binary::logical_xor:
    case Binary::bit_xor:
    case Binary::sub:
      return call2<bool, Booleans::differ>;
    default:
      return comparison<bool, Booleans>(op);
  }
}

std::string describe(std::string_view op, Type type) {
  return std::string(op) + " of " + std::string(to_string(type));
}

}  // namespace

UnaryFunction function_of(Unary op, Type type) {
  if (type == Type::f16) return fp16_function_of(op);
  const UnaryFunction function = with_compute_type(type, [&](auto tag) -> UnaryFunction {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      const bool flips = op == Unary::logical_not || op == Unary::bit_not;
      return flips ? call1<bool, Booleans::flip> : nullptr;
    } else if constexpr (std::is_floating_point_v<T>) {
      return float_unary<T>(op);
    } else {
      return integer_unary<T>(op);
    }
  });
  BURIN_CHECK(function != nullptr, describe(to_string(op), type));
  return function;
}

BinaryFunction function_of(Binary op, Type type) {
  if (type == Type::f16) return fp16_function_of(op);
  const BinaryFunction function = with_compute_type(type, [&](auto tag) -> BinaryFunction {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return boolean_binary(op);
    } else if constexpr (std::is_floating_point_v<T>) {
      return float_binary<T>(op);
    } else {
      return integer_binary<T>(op);
    }
  });
  BURIN_CHECK(function != nullptr, describe(to_string(op), type));
  return function;
}

ScalarValue apply(Unary op, Type type, ScalarValue a) { return function_of(op, type)(a); }

ScalarValue apply(Binary op, Type type, ScalarValue a, ScalarValue b) {
  return function_of(op, type)(a, b);
}

ScalarValue multiplied_and_added(ScalarValue a, ScalarValue b, ScalarValue c) {
  const float sum = burin_rt::multiply_add(
      static_cast<float>(a.number), static_cast<float>(b.number), static_cast<float>(c.number));
  return {static_cast<double>(sum), 0};
}

}  // namespace burin
