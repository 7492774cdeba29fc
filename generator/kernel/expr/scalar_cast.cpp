// Conversions between element types.
//
// Float to integer truncates and stops at the ends of the target, NaN becomes 0. Integer to integer
// wraps (convert) or stops at the ends (saturate). A narrow float is rounded to nearest even from
// f32 or f64 in one rounding; float8 overflows to its NaN or infinity (convert) or to its largest
// number (saturate).
#include <string>

#include "kernel/expr/scalar.h"
#include "kernel/expr/scalar_convert.h"
#include "runtime_min/cast.h"
#include "runtime_min/float4.h"
#include "runtime_min/float8.h"
#include "runtime_min/half.h"
#include "support/check.h"

namespace burin {
namespace {

// f32 values that a narrow float can hold: there and back.
template <Type kTo, bool kSaturate>
float through_narrow(float x) {
  using namespace burin_rt;
  if constexpr (kTo == Type::f16) return f16_to_f32(f32_to_f16(x));
  if constexpr (kTo == Type::bf16) return bf16_to_f32(f32_to_bf16(x));
  if constexpr (kTo == Type::f8e4m3fn) {
    return f8e4m3fn_to_f32(kSaturate ? f32_to_f8e4m3fn_saturate(x) : f32_to_f8e4m3fn(x));
  }
  if constexpr (kTo == Type::f8e4m3fnuz) {
    return f8e4m3fnuz_to_f32(kSaturate ? f32_to_f8e4m3fnuz_saturate(x) : f32_to_f8e4m3fnuz(x));
  }
  if constexpr (kTo == Type::f8e5m2) {
    return f8e5m2_to_f32(kSaturate ? f32_to_f8e5m2_saturate(x) : f32_to_f8e5m2(x));
  }
  if constexpr (kTo == Type::f8e5m2fnuz) {
    return f8e5m2fnuz_to_f32(kSaturate ? f32_to_f8e5m2fnuz_saturate(x) : f32_to_f8e5m2fnuz(x));
  }
  if constexpr (kTo == Type::f8e8m0) {
    return f8e8m0_to_f32(kSaturate ? f32_to_f8e8m0_saturate(x) : f32_to_f8e8m0(x));
  }
  if constexpr (kTo == Type::f4e2m1) return f4e2m1_to_f32(f32_to_f4e2m1(x));
  return x;
}

template <class From, Type kTo, bool kSaturate>
ScalarValue to_narrow(ScalarValue a) {
  const From x = get<From>(a);
  if constexpr (std::is_same_v<From, double> && kTo == Type::f16) {
    return put(burin_rt::f16_to_f32(burin_rt::f64_to_f16(x)));
  } else if constexpr (std::is_same_v<From, double> && kTo == Type::bf16) {
    return put(burin_rt::bf16_to_f32(burin_rt::f64_to_bf16(x)));
  } else {
    return put(through_narrow<kTo, kSaturate>(static_cast<float>(x)));
  }
}

template <class From, class To>
ScalarValue to_float(ScalarValue a) {
  return put(static_cast<To>(get<From>(a)));
}

template <class From>
ScalarValue to_boolean(ScalarValue a) {
  return put(get<From>(a) != From{});
}

template <class From, class To>
ScalarValue wrapped(ScalarValue a) {
  return put(static_cast<To>(get<From>(a)));
}

template <class From, class To>
ScalarValue float_to_integer(ScalarValue a) {
  return put(burin_rt::to_integer_saturate<To>(get<From>(a)));
}

template <class From, class To>
ScalarValue clipped(ScalarValue a) {
  return put(burin_rt::saturate<To>(get<From>(a)));
}

template <Type kTo, class I>
I clip_bits(I x) {
  if constexpr (kTo == Type::i2) return burin_rt::saturate_i2(x);
  if constexpr (kTo == Type::i4) return burin_rt::saturate_i4(x);
  if constexpr (kTo == Type::u2) return burin_rt::saturate_u2(x);
  if constexpr (kTo == Type::u4) return burin_rt::saturate_u4(x);
}

template <Type kTo, class I>
I wrap_bits(I x) {
  if constexpr (kTo == Type::i2) return burin_rt::wrap_i2(x);
  if constexpr (kTo == Type::i4) return burin_rt::wrap_i4(x);
  if constexpr (kTo == Type::u2) return burin_rt::wrap_u2(x);
  if constexpr (kTo == Type::u4) return burin_rt::wrap_u4(x);
}

// Integers of less than a byte are computed in 32 bits.
template <class From, Type kTo, bool kSaturate>
ScalarValue to_few_bits(ScalarValue a) {
  using To = std::conditional_t<kTo == Type::i2 || kTo == Type::i4, int32_t, uint32_t>;
  const From x = get<From>(a);
  if constexpr (std::is_floating_point_v<From>) {
    return put(clip_bits<kTo>(burin_rt::to_integer_saturate<To>(x)));
  } else if constexpr (kSaturate) {
    return put(clip_bits<kTo>(burin_rt::saturate<To>(x)));
  } else {
    return put(wrap_bits<kTo>(static_cast<To>(x)));
  }
}

template <class From, class To>
UnaryFunction to_integer(CastMode mode) {
  if constexpr (std::is_floating_point_v<From>) return float_to_integer<From, To>;
  return mode == CastMode::saturate ? clipped<From, To> : wrapped<From, To>;
}

template <class From, bool kSaturate>
UnaryFunction cast_to(Type to) {
  const CastMode mode = kSaturate ? CastMode::saturate : CastMode::convert;
  switch (to) {
    case Type::f16:
      return to_narrow<From, Type::f16, kSaturate>;
    case Type::bf16:
      return to_narrow<From, Type::bf16, kSaturate>;
    case Type::f8e4m3fn:
      return to_narrow<From, Type::f8e4m3fn, kSaturate>;
    case Type::f8e4m3fnuz:
      return to_narrow<From, Type::f8e4m3fnuz, kSaturate>;
    case Type::f8e5m2:
      return to_narrow<From, Type::f8e5m2, kSaturate>;
    case Type::f8e5m2fnuz:
      return to_narrow<From, Type::f8e5m2fnuz, kSaturate>;
    case Type::f8e8m0:
      return to_narrow<From, Type::f8e8m0, kSaturate>;
    case Type::f4e2m1:
      return to_narrow<From, Type::f4e2m1, kSaturate>;
    case Type::f32:
      return to_float<From, float>;
    case Type::f64:
      return to_float<From, double>;
    case Type::i2:
      return to_few_bits<From, Type::i2, kSaturate>;
    case Type::i4:
      return to_few_bits<From, Type::i4, kSaturate>;
    case Type::u2:
      return to_few_bits<From, Type::u2, kSaturate>;
    case Type::u4:
      return to_few_bits<From, Type::u4, kSaturate>;
    case Type::boolean:
      return to_boolean<From>;
    default:
      return with_compute_type(to, [&](auto tag) -> UnaryFunction {
        using To = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<To> || std::is_same_v<To, bool>)
          return nullptr;
        else
          return to_integer<From, To>(mode);
      });
  }
}

}  // namespace

UnaryFunction cast_function(Type from, Type to, CastMode mode) {
  const UnaryFunction function = with_compute_type(from, [&](auto tag) -> UnaryFunction {
    using From = typename decltype(tag)::type;
    return mode == CastMode::saturate ? cast_to<From, true>(to) : cast_to<From, false>(to);
  });
  BURIN_CHECK(function != nullptr, std::string("cast from ") + std::string(to_string(from)) +
                                       " to " + std::string(to_string(to)));
  return function;
}

ScalarValue cast(Type from, Type to, CastMode mode, ScalarValue a) {
  return cast_function(from, to, mode)(a);
}

ScalarValue stored(Type storage, ScalarValue a) {
  const Type compute = compute_type(storage);
  return compute == storage ? a : cast(compute, storage, CastMode::convert, a);
}

}  // namespace burin
