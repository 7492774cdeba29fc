// The running softmax of attention against softmax as it is defined, for rows with infinities and
// NaN, whatever the blocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime_min/attention.h"
#include "runtime_min/attention_rows.h"

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

burin_rt::EmptyRow rule(Empty empty) {
  return empty == Empty::nan              ? burin_rt::EmptyRow::nan
         : empty == Empty::zero_if_masked ? burin_rt::EmptyRow::zero_if_masked
                                          : burin_rt::EmptyRow::zero_if_nan;
}

// As the loops of few queries do it, `block` keys at a time.
template <int kLanes>
std::vector<float> computed_in_rows(const std::vector<float>& scores, int64_t block, Empty empty) {
  std::vector<float> values, out(static_cast<size_t>(kElements) * kColumns);
  for (int64_t k = 0; k < kKeys; ++k) {
    for (int64_t e = 0; e < kElements; ++e) values.push_back(value(k, e));
  }
  for (size_t c = 0; c < kColumns; ++c) {
    std::vector<float> row, sums(static_cast<size_t>(kElements), 0.0f);
    for (size_t k = 0; k < kKeys; ++k) row.push_back(scores[k * kColumns + c]);
    burin_rt::weigh_row<kLanes>(row.data(), kKeys, rule(empty));
    for (int64_t first = 0; first < kKeys; first += block)
      burin_rt::add_rows<2, 4>(row.data() + first, values.data() + first * kElements, kElements,
                               std::min(block, kKeys - first), kElements, sums.data());
    for (size_t e = 0; e < kElements; ++e) out[e * kColumns + c] = sums[e];
  }
  return out;
}

void expect_close(const std::vector<double>& want, const std::vector<float>& got, int64_t block) {
  for (size_t i = 0; i < want.size(); ++i) {
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << "column " << i % kColumns << ", block " << block;
    } else {
      // A weight has 1 ULP of exp and of a division; values are below 2.
      EXPECT_NEAR(got[i], want[i], 2e-6) << "column " << i % kColumns << ", block " << block;
    }
  }
}

void check(const std::vector<float>& scores) {
  for (const Empty empty : {Empty::nan, Empty::zero_if_masked, Empty::zero_if_nan}) {
    const std::vector<double> want = expected(scores, empty);
    for (int64_t block = 1; block <= kKeys; ++block) {
      expect_close(want, computed(scores, block, empty), block);
      expect_close(want, computed_in_rows<4>(scores, block, empty), block);
      expect_close(want, computed_in_rows<8>(scores, block, empty), block);
      expect_close(want, computed_in_rows<16>(scores, block, empty), block);
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

// Rows further apart than they are long, of lengths around whole vectors.
TEST(RtAttention, RowsGiveDotProductsAndSums) {
  constexpr int64_t kPitch = 23, kCount = 11;
  std::vector<float> rows(static_cast<size_t>(kPitch * kCount));
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = std::sin(static_cast<float>(i) * 7);
  for (int64_t length = 1; length <= kPitch; ++length) {
    for (int64_t count = 0; count <= kCount; ++count) {
      std::vector<float> scores(kCount, 7.0f), sums(static_cast<size_t>(kPitch), 0.5f);
      burin_rt::score_rows<4, 8>(rows.data() + 1, rows.data(), kPitch, count, length,
                                 scores.data());
      burin_rt::add_rows<2, 4>(rows.data() + 1, rows.data(), kPitch, count, length, sums.data());
      for (int64_t k = 0; k < kCount; ++k) {
        double want = k < count ? 0 : 7;
        for (int64_t i = 0; i < length && k < count; ++i)
          want +=
              double{rows[static_cast<size_t>(1 + i)]} * rows[static_cast<size_t>(k * kPitch + i)];
        EXPECT_NEAR(scores[static_cast<size_t>(k)], want, 1e-5) << length << " " << count;
      }
      for (int64_t e = 0; e < kPitch; ++e) {
        double want = 0.5;
        for (int64_t k = 0; k < count && e < length; ++k)
          want +=
              double{rows[static_cast<size_t>(1 + k)]} * rows[static_cast<size_t>(k * kPitch + e)];
        EXPECT_NEAR(sums[static_cast<size_t>(e)], want, 1e-5) << length << " " << count;
      }
    }
  }
}

}  // namespace
