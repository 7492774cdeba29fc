// Vectors: every operation lane by lane against scalars, tails within bounds, and a small matrix
// product.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime_min/vec.h"

namespace {

template <int kLanes>
std::vector<float> lanes_of(const burin_rt::FloatVector<kLanes>& v) {
  std::vector<float> lanes(kLanes);
  burin_rt::store(lanes.data(), v);
  return lanes;
}

template <int kLanes>
void check_operations() {
  std::vector<float> a, b, c;
  for (int i = 0; i < kLanes; ++i) {
    a.push_back(1.0f / static_cast<float>(i + 3));
    b.push_back(static_cast<float>(i * i) - 7.3f);
    c.push_back(std::ldexp(1.1f, i - 8));
  }
  const auto x = burin_rt::load<kLanes>(a.data());
  const auto y = burin_rt::load<kLanes>(b.data());
  const auto z = burin_rt::load<kLanes>(c.data());
  for (size_t i = 0; i < kLanes; ++i) {
    EXPECT_EQ(lanes_of<kLanes>(x + y)[i], a[i] + b[i]);
    EXPECT_EQ(lanes_of<kLanes>(x - y)[i], a[i] - b[i]);
    EXPECT_EQ(lanes_of<kLanes>(x * y)[i], a[i] * b[i]);
    EXPECT_EQ(lanes_of<kLanes>(x / y)[i], a[i] / b[i]);
    EXPECT_EQ(lanes_of<kLanes>(madd(x, y, z))[i], burin_rt::madd(a[i], b[i], c[i]));
    EXPECT_EQ(lanes_of<kLanes>(larger(x, y))[i], std::fmax(a[i], b[i]));
    EXPECT_EQ(lanes_of<kLanes>(smaller(x, y))[i], std::fmin(a[i], b[i]));
    EXPECT_TRUE(std::signbit(lanes_of<kLanes>(burin_rt::broadcast<kLanes>(-0.0f))[i]));
    const auto nan = burin_rt::broadcast<kLanes>(std::numeric_limits<float>::quiet_NaN());
    EXPECT_TRUE(std::isnan(lanes_of<kLanes>(larger(x, nan))[i]));
  }
  std::vector<float> sums = c;
  for (size_t half = kLanes / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  EXPECT_EQ(burin_rt::sum_lanes(z), sums[0]);
  float stored = 0;
  burin_rt::store_sum(&stored, z);
  EXPECT_EQ(stored, sums[0]);
  burin_rt::store_greatest(&stored, z);
  EXPECT_EQ(stored, *std::max_element(c.begin(), c.end()));
  for (size_t i = 0; i < kLanes; ++i) {
    std::vector<float> broken = c;
    broken[i] = std::numeric_limits<float>::quiet_NaN();
    burin_rt::store_greatest(&stored, burin_rt::load<kLanes>(broken.data()));
    EXPECT_TRUE(std::isnan(stored)) << i;
  }
}

TEST(RtVec, OperationsWorkLaneByLane) {
  check_operations<4>();
  check_operations<8>();
  check_operations<16>();
}

// The same product with all widths, lane by lane the same chain of madd: equal bits.
template <int kLanes>
std::vector<float> product_row(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(16, 0.0f);
  for (size_t column = 0; column < 16; column += kLanes) {
    auto sum = burin_rt::broadcast<kLanes>(0.0f);
    for (size_t k = 0; k < a.size(); ++k) {
      sum =
          madd(burin_rt::broadcast<kLanes>(a[k]), burin_rt::load<kLanes>(&b[k * 16 + column]), sum);
    }
    burin_rt::store(&c[column], sum);
  }
  return c;
}
TEST(RtVec, WidthsAgree) {
  std::vector<float> a, b;
  for (int k = 0; k < 33; ++k) a.push_back(std::sin(static_cast<float>(k)));
  for (int i = 0; i < 33 * 16; ++i) b.push_back(std::cos(static_cast<float>(i)));
  const std::vector<float> narrow = product_row<4>(a, b);
  EXPECT_EQ(narrow, product_row<8>(a, b));
  EXPECT_EQ(narrow, product_row<16>(a, b));
  float sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum = burin_rt::madd(a[k], b[k * 16 + 5], sum);
  EXPECT_EQ(narrow[5], sum);
}

}  // namespace
