// vec.h where the compiler has no vector registers: lanes are floats, with the bits of vectors.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

// As for such a target, and in a namespace of its own: the types of other tests have these names.
#undef __SSE__
#undef __AVX__
#undef __AVX512F__
#undef __ARM_NEON
#define BURIN_RT_TREE_H
#define BURIN_RT_TREE scalar_lanes
#include "runtime_min/vec.h"

namespace {

using burin_rt::FloatVector;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kOdd[] = {0.0f,    -0.0f,     1.0f,       -1.5f, 3e-40f,
                          3.4e38f, kInfinity, -kInfinity, kNan,  0.1f};
constexpr int kCount = sizeof kOdd / sizeof kOdd[0];

template <int kLanes, class Vectors, class Scalars>
void expect_same(const char* what, const Vectors& vectors, const Scalars& scalars) {
  for (int first = 0; first < kCount; ++first) {
    float a[kLanes], b[kLanes], c[kLanes], got[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      a[i] = kOdd[(first + i) % kCount];
      b[i] = kOdd[(3 * i + 2 * first + 1) % kCount];
      c[i] = kOdd[(7 * i + first + 2) % kCount];
    }
    burin_rt::store(got, vectors(burin_rt::load<kLanes>(a), burin_rt::load<kLanes>(b),
                                 burin_rt::load<kLanes>(c)));
    for (int i = 0; i < kLanes; ++i) {
      const float wanted = scalars(a[i], b[i], c[i]);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got[i])) << what << ", lane " << i;
      } else {
        EXPECT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(wanted))
            << what << " of " << a[i] << ", " << b[i] << ", " << c[i];
      }
    }
  }
}

template <int kLanes>
void all_operations() {
  using V = const FloatVector<kLanes>&;
  expect_same<kLanes>(
      "a + b", [](V a, V b, V) { return a + b; }, [](float a, float b, float) { return a + b; });
  expect_same<kLanes>(
      "a / b", [](V a, V b, V) { return a / b; }, [](float a, float b, float) { return a / b; });
  expect_same<kLanes>(
      "madd", [](V a, V b, V c) { return madd(a, b, c); },
      [](float a, float b, float c) { return burin_rt::madd(a, b, c); });
  expect_same<kLanes>(
      "larger", [](V a, V b, V) { return larger(a, b); },
      [](float a, float b, float) { return a > b ? a : b; });
  expect_same<kLanes>(
      "greatest", [](V a, V b, V) { return greatest(a, b); },
      [](float a, float b, float) { return std::isnan(a) ? a
                                           : a > b       ? a
                                                         : b; });
  expect_same<kLanes>(
      "least", [](V a, V b, V) { return least(a, b); },
      [](float a, float b, float) { return std::isnan(a) ? a
                                           : a < b       ? a
                                                         : b; });
}

TEST(RtScalarLanes, HaveTheBitsOfFloats) {
  static_assert(burin_rt::detail::kRegisterLanes == 1);
  static_assert(std::is_same_v<decltype(FloatVector<1>::lanes), float>);
  static_assert(sizeof(FloatVector<8>) == 8 * sizeof(float));
  all_operations<1>();
  all_operations<4>();
  all_operations<8>();
  all_operations<16>();
}

// The tree of sums is that of vectors: halves are added until one lane is left.
TEST(RtScalarLanes, SumsInTheSameOrder) {
  const float x[4] = {1e8f, 1.0f, -1e8f, 1.0f};
  EXPECT_EQ(burin_rt::sum_lanes(burin_rt::load<4>(x)), 2.0f);
  EXPECT_EQ(burin_rt::sum_lanes(burin_rt::load<1>(x)), 1e8f);
}

}  // namespace
