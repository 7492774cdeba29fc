// The running softmax of attention against softmax as it is defined, for rows with infinities and
// NaN, whatever the blocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime_min/attention.h"

namespace {

constexpr int kColumns = 4, kRows = 2;
constexpr int64_t kKeys = 7, kElements = 3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

enum class Empty { nan, zero_if_masked, zero_if_nan };

float score(int64_t key, int column) {
  return std::sin(static_cast<float>(key * 5 + column * 3)) * 4;
}
float value(int64_t key, int64_t element) { return static_cast<float>(key - 2 * element) / 4; }

// sums[element][column] over weights, in double, from the definition.
std::vector<double> expected(const std::vector<float>& scores, Empty empty) {
  std::vector<double> out(static_cast<size_t>(kElements) * kColumns);
  for (int c = 0; c < kColumns; ++c) {
    double most = -std::numeric_limits<double>::infinity(), total = 0;
    std::vector<double> weights;
    for (int64_t k = 0; k < kKeys; ++k) {
      const double s = scores[static_cast<size_t>(k) * kColumns + static_cast<size_t>(c)];
      most = std::isnan(s) || std::isnan(most) ? std::nan("") : std::max(most, s);
    }
    for (int64_t k = 0; k < kKeys; ++k) {
      weights.push_back(
          std::exp(scores[static_cast<size_t>(k) * kColumns + static_cast<size_t>(c)] - most));
      total += weights.back();
    }
    for (double& weight : weights) {
      weight /= total;
      const bool masked = most == -std::numeric_limits<double>::infinity();
      if ((empty == Empty::zero_if_masked && masked) ||
          (empty == Empty::zero_if_nan && std::isnan(weight)))
        weight = 0;
    }
    for (int64_t e = 0; e < kElements; ++e) {
      double& sum = out[static_cast<size_t>(e) * kColumns + static_cast<size_t>(c)];
      for (int64_t k = 0; k < kKeys; ++k) sum += weights[static_cast<size_t>(k)] * value(k, e);
    }
  }
  return out;
}

// As the emitted loops do it, `block` keys at a time.
std::vector<float> computed(std::vector<float> scores, int64_t block, Empty empty) {
  constexpr int64_t kPadded = (kElements + kRows - 1) / kRows * kRows;
  std::vector<float> panels(static_cast<size_t>(kPadded * kKeys), 0.0f);
  for (int64_t e = 0; e < kElements; ++e) {
    for (int64_t k = 0; k < kKeys; ++k)
      panels[static_cast<size_t>(e / kRows * kRows * kKeys + k * kRows + e % kRows)] = value(k, e);
  }
  std::vector<float> sums(static_cast<size_t>(kPadded) * kColumns, 7.0f);
  burin_rt::AttentionRows<kColumns> rows;
  burin_rt::begin_rows(rows, sums.data(), kPadded);
  for (int64_t first = 0; first < kKeys; first += block) {
    const int64_t count = std::min(block, kKeys - first);
    float* const part = scores.data() + first * kColumns;
    burin_rt::weigh_block<4>(part, count, rows);
    for (int64_t e = 0; e < kElements; e += kRows) {
      float tile[kRows * kColumns] = {};
      for (int64_t k = 0; k < count; ++k) {
        for (int r = 0; r < kRows; ++r) {
          for (int c = 0; c < kColumns; ++c)
            tile[r * kColumns + c] +=
                part[k * kColumns + c] *
                panels[static_cast<size_t>(e * kKeys + (first + k) * kRows + r)];
        }
      }
      burin_rt::add_tile<kRows>(sums.data() + e * kColumns, tile, rows);
    }
  }
  if (empty != Empty::nan) burin_rt::keep_masked_rows(rows);
  if (empty == Empty::zero_if_nan)
    burin_rt::clear_nan_rows<kRows>(sums.data(), kElements, panels.data(), kKeys, rows);
  burin_rt::finish_rows(sums.data(), kElements, rows);
  return sums;
}

void check(const std::vector<float>& scores) {
  for (const Empty empty : {Empty::nan, Empty::zero_if_masked, Empty::zero_if_nan}) {
    const std::vector<double> want = expected(scores, empty);
    for (int64_t block = 1; block <= kKeys; ++block) {
      const std::vector<float> got = computed(scores, block, empty);
      for (size_t i = 0; i < want.size(); ++i) {
        if (std::isnan(want[i])) {
          EXPECT_TRUE(std::isnan(got[i])) << "column " << i % kColumns << ", block " << block;
        } else {
          // A weight has 1 ULP of exp and of a division; values are below 2.
          EXPECT_NEAR(got[i], want[i], 2e-6) << "column " << i % kColumns << ", block " << block;
        }
      }
    }
  }
}

std::vector<float> ordinary() {
  std::vector<float> scores;
  for (int64_t k = 0; k < kKeys; ++k) {
    for (int c = 0; c < kColumns; ++c) scores.push_back(score(k, c));
  }
  return scores;
}

TEST(RtAttention, AnyBlocksGiveTheSoftmax) { check(ordinary()); }

TEST(RtAttention, MaskedKeysTakeNoPart) {
  std::vector<float> scores = ordinary();
  for (int64_t k = 0; k < kKeys; ++k) {
    scores[static_cast<size_t>(k) * kColumns] = -kInfinity;                  // everywhere
    if (k < 4) scores[static_cast<size_t>(k) * kColumns + 1] = -kInfinity;   // at first
    if (k >= 3) scores[static_cast<size_t>(k) * kColumns + 2] = -kInfinity;  // in the end
    scores[static_cast<size_t>(k) * kColumns + 3] -= 3.0e38f;                // as good as masked
  }
  check(scores);
}

TEST(RtAttention, NaNAndInfinityStayInTheirRows) {
  std::vector<float> scores = ordinary();
  scores[0] = kNaN;
  scores[3 * kColumns + 1] = kInfinity;
  scores[6 * kColumns + 2] = kNaN;
  check(scores);
}

}  // namespace
