// Stated error bounds of exp, log, tanh, sigmoid, erf, sqrt, pow; exactness of fmod.

#include "rt_ulp.h"
#include "runtime_min/erf.h"
#include "runtime_min/fmod.h"
#include "runtime_min/half.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/pow.h"

namespace {

using rt_test::all_kinds;
using rt_test::between;
using rt_test::expect_within;

// Patterns of every kind, the ranges where the functions bend, and (for float) all 16-bit floats of
// both formats.
template <class F>
std::vector<F> inputs() {
  std::vector<F> values = all_kinds<F>(150000);
  for (const double limit : {0.1, 1.5, 12.0, 110.0, 750.0}) {
    for (const F x : between<F>(static_cast<F>(-limit), static_cast<F>(limit), 40000)) {
      values.push_back(x);
    }
  }
  for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
    values.push_back(burin_rt::f16_to_f32(static_cast<uint16_t>(bits)));
    values.push_back(burin_rt::bf16_to_f32(static_cast<uint16_t>(bits)));
  }
  return values;
}

template <class F>
long double sigmoid_reference(long double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

#define EXPECT_FUNCTION_WITHIN(F, function, bound, reference)                     \
  expect_within<F>(                                                               \
      #function " " #F, bound, values, [](F x) { return burin_rt::function(x); }, \
      [](long double x) -> long double { return reference; })

TEST(RtElementary, FloatFunctionsAreWithinTheirBounds) {
  const std::vector<float> values = inputs<float>();
  EXPECT_FUNCTION_WITHIN(float, exp, 0.9, std::exp(x));
  EXPECT_FUNCTION_WITHIN(float, exp2, 0.9, std::exp2(x));
  EXPECT_FUNCTION_WITHIN(float, expm1, 1.5, std::expm1(x));
  EXPECT_FUNCTION_WITHIN(float, log, 1.0, std::log(x));
  EXPECT_FUNCTION_WITHIN(float, log2, 0.6, std::log2(x));
  EXPECT_FUNCTION_WITHIN(float, log10, 0.6, std::log10(x));
  EXPECT_FUNCTION_WITHIN(float, log1p, 1.6, std::log1p(x));
  EXPECT_FUNCTION_WITHIN(float, tanh, 1.6, std::tanh(x));
  EXPECT_FUNCTION_WITHIN(float, sigmoid, 2.5, sigmoid_reference<float>(x));
  EXPECT_FUNCTION_WITHIN(float, erf, 1.4, std::erf(x));
  EXPECT_FUNCTION_WITHIN(float, sqrt, 0.5, std::sqrt(x));
  EXPECT_FUNCTION_WITHIN(float, detail::sqrt_by_digits, 0.5, std::sqrt(x));
  EXPECT_FUNCTION_WITHIN(float, rsqrt, 1.6, 1 / std::sqrt(x));
}

TEST(RtElementary, DoubleFunctionsAreWithinTheirBounds) {
  const std::vector<double> values = inputs<double>();
  EXPECT_FUNCTION_WITHIN(double, exp, 0.9, std::exp(x));
  EXPECT_FUNCTION_WITHIN(double, exp2, 1.0, std::exp2(x));
  EXPECT_FUNCTION_WITHIN(double, expm1, 2.5, std::expm1(x));
  EXPECT_FUNCTION_WITHIN(double, log, 1.0, std::log(x));
  EXPECT_FUNCTION_WITHIN(double, log2, 2.0, std::log2(x));
  EXPECT_FUNCTION_WITHIN(double, log10, 2.0, std::log10(x));
  EXPECT_FUNCTION_WITHIN(double, log1p, 1.6, std::log1p(x));
  EXPECT_FUNCTION_WITHIN(double, tanh, 3.0, std::tanh(x));
  EXPECT_FUNCTION_WITHIN(double, sigmoid, 2.5, sigmoid_reference<double>(x));
  EXPECT_FUNCTION_WITHIN(double, erf, 1.3, std::erf(x));
  EXPECT_FUNCTION_WITHIN(double, sqrt, 0.501, std::sqrt(x));
  EXPECT_FUNCTION_WITHIN(double, rsqrt, 1.6, 1 / std::sqrt(x));
}

// A correctly rounded root is one value: bits must be equal, not close.
TEST(RtElementary, RootsByDigitsAreCorrectlyRounded) {
  for (const double x : all_kinds<double>(20000)) {
    const double root = burin_rt::detail::sqrt_by_digits(x);
    if (std::isnan(root)) {
      EXPECT_TRUE(std::isnan(std::sqrt(x))) << x;
    } else {
      EXPECT_EQ(rt_test::to_bits(root), rt_test::to_bits(std::sqrt(x))) << x;
    }
  }
}

// Pairs of every kind: huge, tiny, integral, odd, close to one, special.
template <class F>
std::vector<F> pow_operands() {
  std::vector<F> values = all_kinds<F>(250);
  for (int i = -9; i < 9; ++i) values.push_back(static_cast<F>(i));
  for (const F x : between<F>(F(0.99), F(1.01), 40)) values.push_back(x);
  for (const F x : between<F>(F(-300), F(300), 60)) values.push_back(x);
  for (const F x : between<F>(F(0), F(3), 60)) values.push_back(x);
  return values;
}

template <class F>
void expect_pow_within(double bound) {
  const std::vector<F> operands = pow_operands<F>();
  for (const F x : operands) {
    for (const F y : operands) {
      const long double reference =
          std::pow(static_cast<long double>(x), static_cast<long double>(y));
      ASSERT_LE(rt_test::ulp_error<F>(burin_rt::pow(x, y), reference), bound) << x << " ^ " << y;
    }
  }
}
TEST(RtElementary, PowIsWithinItsBound) {
  expect_pow_within<float>(0.6);
  expect_pow_within<double>(1.2);
}

TEST(RtElementary, PowSpecialCases) {
  const double inf = burin_rt::f64_infinity();
  const double nan = burin_rt::f64_nan();
  EXPECT_EQ(burin_rt::pow(nan, 0.0), 1.0);
  EXPECT_EQ(burin_rt::pow(1.0, nan), 1.0);
  EXPECT_EQ(burin_rt::pow(-1.0, inf), 1.0);
  EXPECT_EQ(burin_rt::pow(-1.0f, -burin_rt::f32_infinity()), 1.0f);
  EXPECT_EQ(burin_rt::pow(-0.0, -3.0), -inf);
  EXPECT_EQ(burin_rt::pow(-inf, 3.0), -inf);
  EXPECT_TRUE(std::signbit(burin_rt::pow(-inf, -3.0)));
  EXPECT_TRUE(std::isnan(burin_rt::pow(-2.0, 0.5)));
  EXPECT_TRUE(std::isnan(burin_rt::pow(-2.0f, 0.5f)));
  EXPECT_EQ(burin_rt::pow(-2.0f, 3.0f), -8.0f);
  EXPECT_EQ(burin_rt::pow(2.0, -1074.0), std::numeric_limits<double>::denorm_min());
}

template <class F>
void expect_fmod_exact() {
  const std::vector<F> operands = pow_operands<F>();
  for (const F x : operands) {
    for (const F y : operands) {
      const F want = std::fmod(x, y);
      const F got = burin_rt::fmod(x, y);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(got)) << x << " % " << y;
      } else {
        ASSERT_EQ(rt_test::to_bits(got), rt_test::to_bits(want)) << x << " % " << y;
      }
    }
  }
}
TEST(RtElementary, FmodIsExact) {
  expect_fmod_exact<float>();
  expect_fmod_exact<double>();
}

TEST(RtElementary, ModHasTheSignOfTheDivisor) {
  EXPECT_EQ(burin_rt::mod(-7.0, 3.0), 2.0);
  EXPECT_EQ(burin_rt::mod(7.0, -3.0), -2.0);
  EXPECT_EQ(burin_rt::mod(7.5f, 2.0f), 1.5f);
  EXPECT_TRUE(std::signbit(burin_rt::mod(6.0, -3.0)));
  EXPECT_FALSE(std::signbit(burin_rt::mod(-6.0, 3.0)));
  EXPECT_TRUE(std::isnan(burin_rt::mod(1.0f, 0.0f)));
}

}  // namespace
