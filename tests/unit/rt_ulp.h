// Errors of runtime_min's functions in units in the last place, against a long double reference (64
// bits of mantissa on x86: good to 2^-11 ULP of a double).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace rt_test {

template <class F>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Type = uint32_t;
};
template <>
struct BitsOf<double> {
  using Type = uint64_t;
};

template <class F>
F from_bits(typename BitsOf<F>::Type bits) {
  F x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class F>
typename BitsOf<F>::Type to_bits(F x) {
  typename BitsOf<F>::Type bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Distance of the last place of a number of type F near x (that of the smallest normal below it).
template <class F>
long double ulp_of(long double x) {
  int exponent = 0;
  std::frexp(std::fabs(x), &exponent);
  const int lowest = std::numeric_limits<F>::min_exponent;
  if (exponent < lowest) exponent = lowest;
  return std::ldexp(1.0L, exponent - std::numeric_limits<F>::digits);
}

// Error of `got`; infinite where one is NaN or infinite and the other is not. A reference beyond
// the largest number counts as one step beyond it, so that rounding to infinity there is not an
// error.
template <class F>
double ulp_error(F got, long double reference) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(reference) || std::isnan(got)) {
    return std::isnan(reference) && std::isnan(got) ? 0 : wrong;
  }
  const long double largest = std::numeric_limits<F>::max();
  const long double beyond = largest + ulp_of<F>(largest);
  const auto limited = [&](long double x) {
    return x > beyond ? beyond : x < -beyond ? -beyond : x;
  };
  if (std::isinf(got) && std::fabs(reference) < largest) return wrong;
  if (got == 0 && reference == 0) return std::signbit(got) == std::signbit(reference) ? 0 : wrong;
  const long double target = limited(reference);
  return static_cast<double>(std::fabs(limited(got) - target) / ulp_of<F>(target));
}

// Bit patterns of both signs: zeros, the ends of the subnormal, normal and infinite ranges, NaN,
// one, and `count` spread over all patterns by an odd stride.
template <class F>
std::vector<F> all_kinds(uint64_t count) {
  using Bits = typename BitsOf<F>::Type;
  std::vector<F> values;
  using Limits = std::numeric_limits<F>;
  for (const F x :
       {F(0), Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity(),
        Limits::quiet_NaN(), Limits::epsilon(), F(0.5), F(1), F(2), F(10), F(3.5), F(1024)}) {
    for (int step = -3; step <= 3; ++step) {
      const F y = from_bits<F>(static_cast<Bits>(to_bits(x) + static_cast<Bits>(step)));
      values.push_back(y);
      values.push_back(-y);
    }
  }
  const Bits stride = static_cast<Bits>(static_cast<Bits>(~Bits{0}) / count) | 1u;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(from_bits<F>(static_cast<Bits>(i * stride)));
  return values;
}

// `count` evenly spaced values with some noise in the low bits.
template <class F>
std::vector<F> between(F low, F high, int count) {
  std::vector<F> values;
  uint64_t state = 88172645463325252u;
  for (int i = 0; i <= count; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const F noise = static_cast<F>(static_cast<double>(state >> 11) / 9007199254740992.0);
    values.push_back(low +
                     (high - low) * ((static_cast<F>(i) + noise) / static_cast<F>(count + 1)));
  }
  return values;
}

struct Worst {
  double ulp = 0;
  long double at = 0;
};

template <class F, class Function, class Reference>
Worst worst_error(const std::vector<F>& inputs, Function function, Reference reference) {
  Worst worst;
  for (const F x : inputs) {
    const double error = ulp_error<F>(function(x), reference(static_cast<long double>(x)));
    if (error > worst.ulp) worst = {error, x};
  }
  return worst;
}

template <class F, class Function, class Reference>
void expect_within(const char* name, double bound, const std::vector<F>& inputs, Function function,
                   Reference reference) {
  const Worst worst = worst_error<F>(inputs, function, reference);
  EXPECT_LE(worst.ulp, bound) << name << " at " << static_cast<double>(worst.at);
  testing::Test::RecordProperty(name, std::to_string(worst.ulp));
}

}  // namespace rt_test
