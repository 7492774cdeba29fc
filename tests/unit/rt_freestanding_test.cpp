// What runtime_min supplies where there is no C library: copies, integer division, soft floating
// point, against the host's.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "rt_ulp.h"

// The exported names, out of the way of the C library's.
#define memcpy burin_memcpy
#define memmove burin_memmove
#define memset burin_memset
#define memcmp burin_memcmp
#include "runtime_min/freestanding/support.cpp"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp

namespace {

std::vector<unsigned char> pattern(size_t n) {
  std::vector<unsigned char> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(i * 37 + 11);
  return bytes;
}

TEST(RtFreestanding, CopiesOfEverySizeAndAlignment) {
  for (size_t n = 0; n < 40; ++n) {
    for (size_t to = 0; to < 9; ++to) {
      for (size_t from = 0; from < 9; ++from) {
        const std::vector<unsigned char> source = pattern(64);
        std::vector<unsigned char> got = pattern(64), want = got;
        EXPECT_EQ(burin_memcpy(got.data() + to, source.data() + from, n), got.data() + to);
        std::memcpy(want.data() + to, source.data() + from, n);
        ASSERT_EQ(got, want);
        std::vector<unsigned char> moved = pattern(64), expected = moved;  // overlapping
        burin_memmove(moved.data() + to, moved.data() + from, n);
        std::memmove(expected.data() + to, expected.data() + from, n);
        ASSERT_EQ(moved, expected);
      }
      std::vector<unsigned char> got = pattern(64), want = got;
      burin_memset(got.data() + to, 0x1a5, n);
      std::memset(want.data() + to, 0xa5, n);
      ASSERT_EQ(got, want);
    }
  }
  EXPECT_EQ(burin_memcmp("abc", "abd", 2), 0);
  EXPECT_LT(burin_memcmp("abc", "abd", 3), 0);
  EXPECT_GT(burin_memcmp("\xff", "\x01", 1), 0);
}

template <class U, class I>
void expect_division() {
  std::mt19937_64 random(7);
  std::vector<U> values = {
      0, 1, 2, 3, 7, 10, static_cast<U>(-1), static_cast<U>(-2), U{1} << (8 * sizeof(U) - 1)};
  for (int i = 0; i < 200; ++i) values.push_back(static_cast<U>(random() >> (random() % 64)));
  for (const U a : values) {
    for (const U b : values) {
      const auto u = burin_rt::detail::divide_unsigned(a, b);
      const auto s = burin_rt::detail::divide_signed(a, b);
      if (b == 0) {
        ASSERT_EQ(u.remainder, a);
        continue;
      }
      ASSERT_EQ(u.quotient, a / b);
      ASSERT_EQ(u.remainder, a % b);
      if (static_cast<I>(b) == -1 && a == U{1} << (8 * sizeof(U) - 1)) {
        ASSERT_EQ(s.quotient, a);
        continue;
      }
      ASSERT_EQ(static_cast<I>(s.quotient), static_cast<I>(a) / static_cast<I>(b));
      ASSERT_EQ(static_cast<I>(s.remainder), static_cast<I>(a) % static_cast<I>(b));
    }
  }
}
TEST(RtFreestanding, IntegerDivision) {
  expect_division<uint32_t, int32_t>();
  expect_division<uint64_t, int64_t>();
}

// Patterns of every kind and neighbours of exact results, where rounding is decided.
template <class F>
std::vector<F> operands() {
  std::vector<F> values = rt_test::all_kinds<F>(400);
  for (int i = 1; i < 60; ++i) values.push_back(static_cast<F>(i) / static_cast<F>(7));
  for (int i = 1; i < 60; ++i) values.push_back(std::ldexp(static_cast<F>(i), -1060 / (60 / i)));
  return values;
}
template <class F>
void expect_same(F got, F want, F a, F b) {
  if (std::isnan(want)) {
    ASSERT_TRUE(std::isnan(got)) << a << ", " << b;
  } else {
    ASSERT_EQ(rt_test::to_bits(got), rt_test::to_bits(want)) << a << ", " << b;
  }
}
TEST(RtFreestanding, SoftFloatEqualsHardware) {
  using burin_rt::detail::divide_f32;
  using burin_rt::detail::divide_f64;
  using burin_rt::detail::multiply_f64;
  using rt_test::from_bits;
  using rt_test::to_bits;
  const std::vector<double> doubles = operands<double>();
  for (const double a : doubles) {
    for (const double b : doubles) {
      expect_same(from_bits<double>(multiply_f64(to_bits(a), to_bits(b))), a * b, a, b);
      expect_same(from_bits<double>(divide_f64(to_bits(a), to_bits(b))), a / b, a, b);
    }
  }
  const std::vector<float> floats = operands<float>();
  for (const float a : floats) {
    for (const float b : floats) {
      expect_same(from_bits<float>(divide_f32(to_bits(a), to_bits(b))), a / b, a, b);
    }
  }
}

}  // namespace
