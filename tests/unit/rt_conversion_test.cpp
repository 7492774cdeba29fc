// f16, bf16, float8, rounding to integral values and casts to integers: compared bit for bit with
// independent definitions, exhaustively for all narrow inputs.

#include <cfenv>

#include "rt_ulp.h"
#include "runtime_min/bits.h"
#include "runtime_min/cast.h"
#include "runtime_min/elementary.h"
#include "runtime_min/float4.h"
#include "runtime_min/float8.h"
#include "runtime_min/fma.h"
#include "runtime_min/half.h"
#include "runtime_min/integer.h"
#include "runtime_min/round.h"

namespace {

// A narrow format by its definition: value of each code, from sign, exponent and mantissa fields.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool ieee_specials;  // the top exponent holds infinity and NaN
  bool unsigned_zero;  // code 0x80 is NaN, -0 does not exist
};
constexpr Format kF16{5, 10, 15, true, false};
constexpr Format kBf16{8, 7, 127, true, false};
constexpr Format kE4m3fn{4, 3, 7, false, false};
constexpr Format kE4m3fnuz{4, 3, 8, false, true};
constexpr Format kE5m2{5, 2, 15, true, false};
constexpr Format kE5m2fnuz{5, 2, 16, false, true};

double value_of(const Format& f, uint32_t code) {
  const int bits = 1 + f.exponent_bits + f.mantissa_bits;
  const double sign = (code >> (bits - 1)) & 1 ? -1.0 : 1.0;
  const uint32_t magnitude = code & ((1u << (bits - 1)) - 1);
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const double mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
  if (f.unsigned_zero && code == 1u << (bits - 1)) return std::nan("");
  if (f.ieee_specials && exponent == (1 << f.exponent_bits) - 1) {
    return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  }
  if (!f.ieee_specials && !f.unsigned_zero && magnitude == (1u << (bits - 1)) - 1)
    return std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
  return sign * std::ldexp(std::ldexp(1.0, f.mantissa_bits) + mantissa,
                           exponent - f.bias - f.mantissa_bits);
}

void expect_same(double got, double want, uint32_t code) {
  if (std::isnan(want)) {
    ASSERT_TRUE(std::isnan(got)) << code;
  } else {
    ASSERT_EQ(rt_test::to_bits(got), rt_test::to_bits(want)) << code;
  }
}

TEST(RtConversion, WideningIsExactForEveryCode) {
  for (uint32_t code = 0; code < 0x10000u; ++code) {
    const auto h = static_cast<uint16_t>(code);
    expect_same(burin_rt::f16_to_f32(h), value_of(kF16, code), code);
    expect_same(burin_rt::bf16_to_f32(h), value_of(kBf16, code), code);
    expect_same(burin_rt::f16_to_f64(h), value_of(kF16, code), code);
    expect_same(burin_rt::bf16_to_f64(h), value_of(kBf16, code), code);
  }
  for (uint32_t code = 0; code < 0x100u; ++code) {
    const auto b = static_cast<uint8_t>(code);
    expect_same(burin_rt::f8e4m3fn_to_f32(b), value_of(kE4m3fn, code), code);
    expect_same(burin_rt::f8e4m3fnuz_to_f32(b), value_of(kE4m3fnuz, code), code);
    expect_same(burin_rt::f8e5m2_to_f32(b), value_of(kE5m2, code), code);
    expect_same(burin_rt::f8e5m2fnuz_to_f32(b), value_of(kE5m2fnuz, code), code);
  }
}

// Narrowing, from its definition: between each two neighbouring codes lies a halfway point; just
// below it, at it and just above it the result is the lower code, the even one, the upper one.
template <class Narrow>
void expect_nearest_even(const Format& f, uint32_t largest, Narrow narrow) {
  const uint32_t sign = 1u << (f.exponent_bits + f.mantissa_bits);
  for (uint32_t code = 0; code < largest; ++code) {
    const double low = value_of(f, code);
    const double high = value_of(f, code + 1);
    const double middle = (low + high) / 2;
    const uint32_t even = code % 2 == 0 ? code : code + 1;
    const auto above = static_cast<float>(middle) > middle
                           ? static_cast<float>(middle)
                           : std::nextafter(static_cast<float>(middle), HUGE_VALF);
    const auto below = std::nextafter(static_cast<float>(middle), -HUGE_VALF);
    ASSERT_EQ(narrow(static_cast<float>(low)), code);
    ASSERT_EQ(narrow(below), code) << middle;
    ASSERT_EQ(narrow(static_cast<float>(middle)), even) << middle;
    ASSERT_EQ(narrow(above), code + 1) << middle;
    // the formats with one zero keep no sign there
    const bool to_zero = f.unsigned_zero && even == 0;
    ASSERT_EQ(narrow(-static_cast<float>(middle)), to_zero ? 0u : even | sign) << middle;
  }
  const bool nan = std::isnan(value_of(f, narrow(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(nan);
}

TEST(RtConversion, NarrowingRoundsToNearestEven) {
  expect_nearest_even(kF16, 0x7bff, [](float x) -> uint32_t { return burin_rt::f32_to_f16(x); });
  expect_nearest_even(kBf16, 0x7f7f, [](float x) -> uint32_t { return burin_rt::f32_to_bf16(x); });
  using Narrow8 = uint8_t (*)(float);
  struct Case {
    Format format;
    uint32_t largest;
    Narrow8 plain;
    Narrow8 saturate;
  };
  for (const Case& c :
       {Case{kE4m3fn, 0x7e, burin_rt::f32_to_f8e4m3fn, burin_rt::f32_to_f8e4m3fn_saturate},
        Case{kE4m3fnuz, 0x7f, burin_rt::f32_to_f8e4m3fnuz, burin_rt::f32_to_f8e4m3fnuz_saturate},
        Case{kE5m2, 0x7b, burin_rt::f32_to_f8e5m2, burin_rt::f32_to_f8e5m2_saturate},
        Case{kE5m2fnuz, 0x7f, burin_rt::f32_to_f8e5m2fnuz, burin_rt::f32_to_f8e5m2fnuz_saturate}}) {
    expect_nearest_even(c.format, c.largest, [&](float x) -> uint32_t { return c.plain(x); });
    expect_nearest_even(c.format, c.largest, [&](float x) -> uint32_t { return c.saturate(x); });
    // overflow: half a place above the largest number is the first that does not round down to it
    const auto largest = static_cast<float>(value_of(c.format, c.largest));
    const auto place =
        static_cast<float>(value_of(c.format, c.largest) - value_of(c.format, c.largest - 1));
    EXPECT_EQ(c.plain(std::nextafter(largest + place / 2, 0.0f)), c.largest);
    for (const float x : {largest + place, largest * 4, 1e30f, HUGE_VALF}) {
      EXPECT_EQ(c.saturate(x), c.largest) << x;
      EXPECT_EQ(c.saturate(-x), c.largest | 0x80u) << x;
      const double plain = value_of(c.format, c.plain(x));
      EXPECT_TRUE(c.format.ieee_specials ? std::isinf(plain) : std::isnan(plain)) << x;
    }
  }
  EXPECT_EQ(burin_rt::f32_to_f16(65519.0f), 0x7bff);
  EXPECT_EQ(burin_rt::f32_to_f16(65520.0f), 0x7c00);
  EXPECT_EQ(burin_rt::f32_to_f16(-HUGE_VALF), 0xfc00);
  EXPECT_EQ(burin_rt::f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
}

// Of sixteen numbers the nearest, the even code where two are as near.
TEST(RtConversion, FourBitsHoldTheNearestOfSixteenNumbers) {
  const double numbers[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint32_t code = 0; code < 16; ++code) {
    const double number = numbers[code % 8] * (code < 8 ? 1 : -1);
    const float wide = burin_rt::f4e2m1_to_f32(static_cast<uint8_t>(code));
    EXPECT_EQ(wide, number) << code;
    EXPECT_EQ(std::signbit(wide), code >= 8) << code;
    EXPECT_EQ(burin_rt::f32_to_f4e2m1(wide), code);
  }
  for (int step = -1024; step <= 1024; ++step) {
    for (const double off : {-0x1p-20, 0.0, 0x1p-20}) {
      const double x = step / 128.0 + off;
      uint32_t best = 0;
      for (uint32_t code = 1; code < 8; ++code) {
        const double nearer =
            std::abs(numbers[code] - std::abs(x)) - std::abs(numbers[best] - std::abs(x));
        if (nearer < 0 || (nearer == 0 && code % 2 == 0)) best = code;
      }
      const uint32_t sign = std::signbit(static_cast<float>(x)) ? 8u : 0u;
      ASSERT_EQ(burin_rt::f32_to_f4e2m1(static_cast<float>(x)), best | sign) << x;
    }
  }
  EXPECT_EQ(burin_rt::f32_to_f4e2m1(HUGE_VALF), 7);
  EXPECT_EQ(burin_rt::f32_to_f4e2m1(-1e30f), 15);
  EXPECT_EQ(burin_rt::f4e2m1_to_f32(burin_rt::f32_to_f4e2m1(std::nanf(""))), 0.0f);
}

TEST(RtConversion, ExponentsArePowersOfTwoRoundedUp) {
  for (uint32_t code = 0; code < 255; ++code) {
    const double power = std::ldexp(1.0, static_cast<int>(code) - 127);
    const auto x = static_cast<float>(power);
    ASSERT_EQ(burin_rt::f8e8m0_to_f32(static_cast<uint8_t>(code)), power);
    ASSERT_EQ(burin_rt::f32_to_f8e8m0(x), code);
    ASSERT_EQ(burin_rt::f32_to_f8e8m0(-std::nextafter(x, HUGE_VALF)), code + 1);
    ASSERT_EQ(burin_rt::f32_to_f8e8m0_saturate(std::nextafter(x, HUGE_VALF)),
              std::min(code + 1, 254u));
  }
  EXPECT_EQ(burin_rt::f32_to_f8e8m0(0.0f), 0);
  for (const float x : {HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
    EXPECT_EQ(burin_rt::f32_to_f8e8m0(x), 255);
    EXPECT_EQ(burin_rt::f32_to_f8e8m0_saturate(x), 255);
  }
  EXPECT_TRUE(std::isnan(burin_rt::f8e8m0_to_f32(255)));
}

TEST(RtConversion, NarrowingFromDoubleRoundsOnce) {
  // one bit beyond a float's precision decides; through float it would be lost
  const double just_above = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(burin_rt::f64_to_f16(just_above), 0x3c01);
  EXPECT_EQ(burin_rt::f64_to_f16(1.0 + std::ldexp(1.0, -11)), 0x3c00);
  EXPECT_EQ(burin_rt::f64_to_bf16(1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -50)), 0x3f81);
  EXPECT_EQ(burin_rt::f64_to_f16(1e300), 0x7c00);
  EXPECT_EQ(burin_rt::f64_to_f16(-1e-300), 0x8000);
  EXPECT_TRUE(std::isnan(burin_rt::f16_to_f32(burin_rt::f64_to_f16(std::nan("")))));
}

template <class F>
void expect_rounding() {
  std::vector<F> values = rt_test::all_kinds<F>(100000);
  for (const F x : rt_test::between<F>(F(-6), F(6), 1000)) values.push_back(x);
  for (int i = -40; i <= 40; ++i) values.push_back(static_cast<F>(i) / 4);
  for (const F x : values) {
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(burin_rt::floor(x)));
      continue;
    }
    const auto same = [](F a, F b) { return rt_test::to_bits(a) == rt_test::to_bits(b); };
    ASSERT_TRUE(same(burin_rt::floor(x), std::floor(x))) << x;
    ASSERT_TRUE(same(burin_rt::ceil(x), std::ceil(x))) << x;
    ASSERT_TRUE(same(burin_rt::trunc(x), std::trunc(x))) << x;
    ASSERT_TRUE(same(burin_rt::round_half_even(x), std::nearbyint(x))) << x;
    ASSERT_TRUE(same(burin_rt::round_half_away(x), std::round(x))) << x;
  }
}
TEST(RtConversion, RoundingToIntegralValues) {
  expect_rounding<float>();
  expect_rounding<double>();
}

template <class I, class F>
void expect_casts() {
  const long double low = static_cast<long double>(std::numeric_limits<I>::min());
  const long double high = static_cast<long double>(std::numeric_limits<I>::max());
  for (const F x : rt_test::all_kinds<F>(20000)) {
    const long double whole = std::trunc(static_cast<long double>(x));
    const I saturated = burin_rt::to_integer_saturate<I>(x);
    const I wrapped = burin_rt::to_integer_wrap<I>(x);
    if (std::isnan(x)) {
      ASSERT_EQ(saturated, I(0));
    } else {
      const I want = whole < low    ? std::numeric_limits<I>::min()
                     : whole > high ? std::numeric_limits<I>::max()
                                    : static_cast<I>(whole);
      ASSERT_EQ(saturated, want) << x;
      if (whole >= low && whole <= high) {
        ASSERT_EQ(wrapped, want) << x;
      }
    }
  }
}
TEST(RtConversion, CastsToIntegers) {
  expect_casts<int8_t, float>();
  expect_casts<uint8_t, float>();
  expect_casts<int16_t, float>();
  expect_casts<uint16_t, double>();
  expect_casts<int32_t, float>();
  expect_casts<int32_t, double>();
  expect_casts<uint32_t, float>();
  expect_casts<uint32_t, double>();
  expect_casts<int64_t, float>();
  expect_casts<int64_t, double>();
  expect_casts<uint64_t, float>();
  expect_casts<uint64_t, double>();
}
TEST(RtConversion, CastsThatWrap) {
  EXPECT_EQ(burin_rt::to_integer_wrap<int8_t>(300.0f), 44);
  EXPECT_EQ(burin_rt::to_integer_wrap<uint8_t>(-1.0f), 255);
  EXPECT_EQ(burin_rt::to_integer_wrap<int16_t>(70000.0), 4464);
  EXPECT_EQ(burin_rt::to_integer_wrap<int32_t>(3e9f), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(burin_rt::to_integer_wrap<int8_t>(3e9f), 0);
  EXPECT_EQ(burin_rt::to_integer_wrap<uint32_t>(-1.0f), 0xffffffffu);
  EXPECT_EQ(burin_rt::to_integer_wrap<int64_t>(std::nan("")), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(burin_rt::to_integer_wrap<uint64_t>(9223372036854775808.0), 0x8000000000000000u);
}

TEST(RtConversion, IntegerArithmeticIsTotal) {
  const int32_t lowest = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(burin_rt::divide(lowest, -1), lowest);
  EXPECT_EQ(burin_rt::remainder(lowest, -1), 0);
  EXPECT_EQ(burin_rt::divide(7, 0), 0);
  EXPECT_EQ(burin_rt::floor_mod(7, 0), 0);
  EXPECT_EQ(burin_rt::integer_pow(int8_t{3}, int32_t{5}), static_cast<int8_t>(243));
  EXPECT_EQ(burin_rt::integer_pow(-1, -3), -1);
  EXPECT_EQ(burin_rt::integer_pow(2, -1), 0);
  EXPECT_EQ(burin_rt::shift_left(uint8_t{1}, uint8_t{8}), 0);
  EXPECT_EQ(burin_rt::shift_right(int8_t{-1}, int8_t{9}), -1);
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto x = static_cast<int8_t>(a);
      const auto y = static_cast<int8_t>(b);
      if (b == 0) continue;
      ASSERT_EQ(burin_rt::divide(x, y), static_cast<int8_t>(a / b));
      ASSERT_EQ(burin_rt::remainder(x, y), a % b);
      const int floor = static_cast<int>(std::floor(static_cast<double>(a) / b));
      ASSERT_EQ(burin_rt::floor_divide(x, y), static_cast<int8_t>(floor));
      ASSERT_EQ(burin_rt::floor_mod(x, y), a - b * floor);
      ASSERT_EQ(burin_rt::multiply_wrap(x, y), static_cast<int8_t>(a * b));
    }
  }
}

template <class T>
void expect_minimum_and_maximum(const std::vector<T>& values) {
  for (const T a : values) {
    for (const T b : values) {
      if (a != a || b != b) {
        ASSERT_NE(burin_rt::minimum(a, b), burin_rt::minimum(a, b));
        ASSERT_NE(burin_rt::maximum(a, b), burin_rt::maximum(a, b));
      } else {
        ASSERT_EQ(burin_rt::minimum(a, b), std::min(a, b));
        ASSERT_EQ(burin_rt::maximum(a, b), std::max(a, b));
      }
    }
  }
}
TEST(RtConversion, MinimumAndMaximum) {
  expect_minimum_and_maximum<float>(rt_test::all_kinds<float>(200));
  expect_minimum_and_maximum<double>(rt_test::all_kinds<double>(200));
  expect_minimum_and_maximum<int8_t>({-128, -1, 0, 1, 127});
  EXPECT_EQ(burin_rt::absolute(std::numeric_limits<int32_t>::min()),
            std::numeric_limits<int32_t>::min());
  EXPECT_EQ(burin_rt::absolute(-3), 3);
  EXPECT_FALSE(std::signbit(burin_rt::absolute(-0.0f)));
  EXPECT_EQ(burin_rt::sign(-7.5), -1.0);
  EXPECT_TRUE(std::signbit(burin_rt::sign(-0.0f)));
  EXPECT_TRUE(std::isnan(burin_rt::sign(std::nanf(""))));
  EXPECT_EQ(burin_rt::sign(uint8_t{9}), 1);
}

TEST(RtConversion, BitsAndOrder) {
  for (uint32_t i = 0; i < 64; ++i) {
    const uint64_t x = uint64_t{1} << i;
    EXPECT_EQ(burin_rt::count_leading_zeros(x), 63 - i);
    EXPECT_EQ(burin_rt::popcount(x - 1), i);
  }
  EXPECT_EQ(burin_rt::count_leading_zeros(uint32_t{0}), 32u);
  EXPECT_TRUE(burin_rt::isinf(-HUGE_VALF) && !burin_rt::isinf(1e30f) && burin_rt::isfinite(1e30f));
}

}  // namespace
