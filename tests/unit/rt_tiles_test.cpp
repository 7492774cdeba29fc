// The tile of products against plain sums of whole numbers, which no order of summation changes, and
// that it leaves what lies behind it alone.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "runtime_min/contraction.h"

namespace {

constexpr float kElsewhere = 77.0f;

// Small whole numbers: every order of sums and every fused step gives the same.
std::vector<float> whole_numbers(size_t count) {
  std::mt19937 random(1);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random() % 15) - 7.0f);
  return values;
}

template <int kRows, int kVectors, int kLanes>
void check_tile() {
  constexpr size_t kWidth = size_t{kVectors} * kLanes;
  for (const size_t depth : {size_t{0}, size_t{1}, size_t{3}, size_t{9}}) {
    const std::vector<float> a = whole_numbers(depth * kRows + 1),
                             b = whole_numbers(depth * kWidth + 1);
    std::vector<float> tile(kRows * kWidth + 1, kElsewhere);
    burin_rt::multiply_tile<kRows, kVectors, kLanes>(a.data(), b.data(),
                                                     static_cast<int64_t>(depth), tile.data());
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t c = 0; c < kWidth; ++c) {
        float sum = 0;
        for (size_t i = 0; i < depth; ++i) sum += a[i * kRows + r] * b[i * kWidth + c];
        ASSERT_EQ(tile[r * kWidth + c], sum) << "row " << r << ", column " << c;
      }
    }
    EXPECT_EQ(tile.back(), kElsewhere);
  }
}

TEST(RtTiles, ProductsOfPanels) {
  check_tile<3, 2, 4>();
  check_tile<1, 3, 8>();
  check_tile<6, 2, 8>();
  check_tile<4, 1, 16>();
}

}  // namespace
