// Stated error bounds of the trigonometric and hyperbolic functions and their inverses.

#include "rt_ulp.h"
#include "runtime_min/half.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/inverse_trig.h"
#include "runtime_min/trig.h"

namespace {

using rt_test::all_kinds;
using rt_test::between;
using rt_test::expect_within;

// Also the neighbours of multiples of pi/2, where reduction cancels.
template <class F>
std::vector<F> angles() {
  std::vector<F> values = all_kinds<F>(100000);
  for (const double limit : {0.1, 1.2, 12.0, 720.0, 1e6}) {
    for (const F x : between<F>(static_cast<F>(-limit), static_cast<F>(limit), 30000)) {
      values.push_back(x);
    }
  }
  for (int64_t k = 1; k < int64_t{1} << 40; k = k * 5 / 4 + 1) {
    const F multiple = static_cast<F>(static_cast<long double>(k) * 1.57079632679489661923L);
    for (int step = -2; step <= 2; ++step) {
      const auto bits =
          rt_test::to_bits(multiple) + static_cast<typename rt_test::BitsOf<F>::Type>(step);
      values.push_back(rt_test::from_bits<F>(bits));
    }
  }
  for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
    values.push_back(burin_rt::f16_to_f32(static_cast<uint16_t>(bits)));
    values.push_back(burin_rt::bf16_to_f32(static_cast<uint16_t>(bits)));
  }
  return values;
}

#define EXPECT_FUNCTION_WITHIN(F, function, bound)                                \
  expect_within<F>(                                                               \
      #function " " #F, bound, values, [](F x) { return burin_rt::function(x); }, \
      [](long double x) -> long double { return std::function(x); })

TEST(RtTrig, FloatFunctionsAreWithinTheirBounds) {
  const std::vector<float> values = angles<float>();
  EXPECT_FUNCTION_WITHIN(float, sin, 0.6);
  EXPECT_FUNCTION_WITHIN(float, cos, 0.6);
  EXPECT_FUNCTION_WITHIN(float, tan, 0.6);
  EXPECT_FUNCTION_WITHIN(float, asin, 0.6);
  EXPECT_FUNCTION_WITHIN(float, acos, 0.6);
  EXPECT_FUNCTION_WITHIN(float, atan, 0.6);
  EXPECT_FUNCTION_WITHIN(float, sinh, 0.6);
  EXPECT_FUNCTION_WITHIN(float, cosh, 0.6);
  EXPECT_FUNCTION_WITHIN(float, asinh, 0.6);
  EXPECT_FUNCTION_WITHIN(float, acosh, 0.6);
  EXPECT_FUNCTION_WITHIN(float, atanh, 0.6);
}

TEST(RtTrig, DoubleFunctionsAreWithinTheirBounds) {
  const std::vector<double> values = angles<double>();
  EXPECT_FUNCTION_WITHIN(double, sin, 1.0);
  EXPECT_FUNCTION_WITHIN(double, cos, 1.0);
  EXPECT_FUNCTION_WITHIN(double, tan, 3.0);
  EXPECT_FUNCTION_WITHIN(double, asin, 2.0);
  EXPECT_FUNCTION_WITHIN(double, acos, 2.0);
  EXPECT_FUNCTION_WITHIN(double, atan, 2.0);
  EXPECT_FUNCTION_WITHIN(double, sinh, 3.0);
  EXPECT_FUNCTION_WITHIN(double, cosh, 3.0);
  EXPECT_FUNCTION_WITHIN(double, asinh, 3.0);
  EXPECT_FUNCTION_WITHIN(double, acosh, 3.0);
  EXPECT_FUNCTION_WITHIN(double, atanh, 2.5);
}

template <class F>
void expect_atan2_within(double bound) {
  std::vector<F> operands = all_kinds<F>(300);
  for (const F x : between<F>(F(-3), F(3), 100)) operands.push_back(x);
  for (const F y : operands) {
    for (const F x : operands) {
      const long double reference =
          std::atan2(static_cast<long double>(y), static_cast<long double>(x));
      ASSERT_LE(rt_test::ulp_error<F>(burin_rt::atan2(y, x), reference), bound) << y << ", " << x;
    }
  }
}
TEST(RtTrig, Atan2IsWithinItsBound) {
  expect_atan2_within<float>(0.6);
  expect_atan2_within<double>(2.5);
}

// The double nearest to a multiple of pi/2 among all (found by Kahan's continued fraction search),
// and its float peers.
TEST(RtTrig, HardestReduction) {
  const double hardest = std::ldexp(6381956970095103.0, 797);
  EXPECT_LE(rt_test::ulp_error<double>(burin_rt::cos(hardest), -4.68716592425462761112e-19L), 1.0);
  EXPECT_LE(rt_test::ulp_error<double>(burin_rt::sin(hardest), 1.0L), 1.0);
}

}  // namespace
