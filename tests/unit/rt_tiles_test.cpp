// The microkernels of products and windows against plain sums of whole numbers, which no order of
// summation changes, and that they leave the rest of a larger tile alone.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "runtime_min/contraction.h"
#include "runtime_min/window.h"

namespace {

constexpr float kElsewhere = 77.0f;

// Small whole numbers: every order of sums and every fused step gives the same.
std::vector<float> whole_numbers(size_t count) {
  std::mt19937 random(1);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random() % 15) - 7.0f);
  return values;
}

template <class Left, class Right>
float dot(size_t depth, const Left& left, const Right& right) {
  float sum = 0;
  for (size_t i = 0; i < depth; ++i) sum += left(i) * right(i);
  return sum;
}

template <size_t kHeight, size_t kWidth>
void fill(float (&tile)[kHeight][kWidth]) {
  for (auto& row : tile) {
    for (float& one : row) one = kElsewhere;
  }
}

// What has been written is rows x columns; `want` says of what.
template <size_t kHeight, size_t kWidth, class Want>
void expect_tile(const float (&tile)[kHeight][kWidth], size_t rows, size_t columns,
                 const Want& want) {
  for (size_t r = 0; r < kHeight; ++r) {
    for (size_t c = 0; c < kWidth; ++c) {
      const float expected = r < rows && c < columns ? want(r, c) : kElsewhere;
      ASSERT_EQ(tile[r][c], expected) << "row " << r << ", column " << c;
    }
  }
}

template <int kLanes>
void check_products() {
  constexpr size_t kLane = kLanes;
  for (const size_t depth : {size_t{0}, size_t{1}, size_t{3}, size_t{4}, size_t{9}}) {
    const std::vector<float> a = whole_numbers(depth * 36 + 1),
                             b = whole_numbers(depth * 8 * kLane + 1);
    const auto of_a = [&](size_t pitch, size_t at) {
      return [&a, pitch, at](size_t i) { return a[i * pitch + at]; };
    };
    const auto of_b = [&](size_t pitch, size_t at) {
      return [&b, pitch, at](size_t i) { return b[i * pitch + at]; };
    };
    const auto steps = static_cast<int64_t>(depth);
    float tile[8][5 * kLane];
    fill(tile);
    burin_rt::multiply_tile<3, 2, kLanes, 1, 4, 3>(a.data(), b.data(), steps, tile);
    expect_tile(tile, 3, 2 * kLane,
                [&](size_t r, size_t c) { return dot(depth, of_a(4, r), of_b(3 * kLane, c)); });
    // Sums for four points of the depth, of which the last ones may be missing.
    fill(tile);
    burin_rt::multiply_tile<2, 1, kLanes, 4, 3, 2>(a.data(), b.data(), steps, tile);
    expect_tile(tile, 2, kLane,
                [&](size_t r, size_t c) { return dot(depth, of_a(3, r), of_b(2 * kLane, c)); });
    fill(tile);
    burin_rt::multiply_tile<3, 2, kLanes, 2, 4, 3>(a.data(), b.data(), steps, tile);
    expect_tile(tile, 3, 2 * kLane,
                [&](size_t r, size_t c) { return dot(depth, of_a(4, r), of_b(3 * kLane, c)); });
    fill(tile);
    burin_rt::multiply_tile<1, 3, kLanes, 5>(a.data(), b.data(), steps, tile);
    expect_tile(tile, 1, 3 * kLane,
                [&](size_t r, size_t c) { return dot(depth, of_a(1, r), of_b(3 * kLane, c)); });
    // Three blocks of two rows, of which the last may be missing.
    for (const int64_t blocks : {2, 3}) {
      fill(tile);
      burin_rt::multiply_blocks<2, 3, 1, kLanes, 2>(a.data(), b.data(), blocks, steps, tile);
      expect_tile(tile, 6, kLane, [&](size_t r, size_t c) {
        const size_t block = std::min(r / 2, static_cast<size_t>(blocks) - 1);
        return dot(depth, of_a(2, block * depth * 2 + r % 2), of_b(2 * kLane, c));
      });
    }
  }
}

TEST(RtTiles, ProductsOfPanels) {
  check_products<4>();
  check_products<8>();
  check_products<16>();
}

template <int kLanes>
void check_windows() {
  constexpr size_t kLane = kLanes;
  const std::vector<int32_t> shifts = {3, 0, 11, 4, 4};
  const std::vector<float> staged = whole_numbers(12 + 4 * kLane), a = whole_numbers(60);
  const auto depth = static_cast<int64_t>(shifts.size());
  const auto at = [&](size_t i, size_t c) { return staged[static_cast<size_t>(shifts[i]) + c]; };
  const auto product = [&](size_t pitch, size_t place, size_t c) {
    return dot(
        shifts.size(), [&](size_t i) { return a[i * pitch + place]; },
        [&](size_t i) { return at(i, c); });
  };
  float tile[7][4 * kLane];
  fill(tile);
  burin_rt::multiply_shifted<3, 2, kLanes>(a.data(), staged.data(), shifts.data(), depth, tile);
  expect_tile(tile, 3, 2 * kLane, [&](size_t r, size_t c) { return product(3, r, c); });
  fill(tile);
  burin_rt::multiply_shifted_blocks<2, 3, 1, kLanes>(a.data(), staged.data(), shifts.data(), 2,
                                                     depth, tile);
  expect_tile(tile, 6, kLane, [&](size_t r, size_t c) {
    const size_t block = std::min(r / 2, size_t{1});
    return product(2, block * shifts.size() * 2 + r % 2, c);
  });
  float row[1][4 * kLane];
  fill(row);
  burin_rt::combine_shifted<burin_rt::Greatest, 3, kLanes>(staged.data(), shifts.data(), depth,
                                                           row);
  expect_tile(row, 1, 3 * kLane, [&](size_t, size_t c) {
    float most = at(0, c);
    for (size_t i = 1; i < shifts.size(); ++i) most = std::max(most, at(i, c));
    return most;
  });
}

TEST(RtTiles, ProductsAndPoolsOfShiftedRows) {
  check_windows<4>();
  check_windows<8>();
  check_windows<16>();
}

}  // namespace
