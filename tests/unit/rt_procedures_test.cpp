// Procedures against naive definitions on small random inputs with many ties, zeros and NaNs;
// capacities and refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "runtime_min/procedures/compress.h"
#include "runtime_min/procedures/determinant.h"
#include "runtime_min/procedures/non_max_suppression.h"
#include "runtime_min/procedures/non_zero.h"
#include "runtime_min/procedures/top_k.h"
#include "runtime_min/procedures/unique.h"

namespace {

using burin_rt::ProcedureCall;

// Outputs and scratch are allocated exactly as large as the procedure may use, so that an overrun
// shows under AddressSanitizer, and end in a guard that is looked at here.
constexpr int64_t kGuard = 0x5a5a5a5a5a5a5a5a;

std::vector<int64_t> guarded(int64_t n) {
  return std::vector<int64_t>(static_cast<size_t>(n + 1), kGuard);
}

std::vector<float> random_values(std::mt19937& random, int64_t n, int distinct, bool with_nan) {
  std::vector<float> values;
  for (int64_t i = 0; i < n; ++i) {
    const auto pick = static_cast<int>(random() % static_cast<unsigned>(distinct));
    values.push_back(with_nan && pick == 1 ? std::nanf("")
                     : pick == 2           ? -0.0f
                                           : static_cast<float>(pick) - 2.0f);
  }
  return values;
}

// The order that procedures document, written again: NaN largest.
bool less(float a, float b) {
  if (std::isnan(a)) return false;
  return std::isnan(b) || a < b;
}

TEST(RtProcedures, TopKMatchesAStableSort) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int64_t outer = random() % 3 + 1, axis = random() % 12 + 1, inner = random() % 3 + 1;
    const int64_t k = random() % static_cast<unsigned>(axis + 1);
    const int64_t largest = random() % 2;
    const std::vector<float> x = random_values(random, outer * axis * inner, 6, true);
    const int64_t arguments[] = {outer, axis, inner, k, largest};
    std::vector<float> values(static_cast<size_t>(outer * k * inner) + 1, 77.0f);
    std::vector<int64_t> indices = guarded(outer * k * inner);
    std::vector<int64_t> scratch = guarded(burin_rt::top_k_scratch_bytes(arguments) / 8);
    const void* reads[] = {x.data()};
    void* writes[] = {values.data(), indices.data()};
    ASSERT_EQ(
        burin_rt::top_k<float>(ProcedureCall{reads, writes, arguments, nullptr, scratch.data()}),
        0);
    ASSERT_EQ(values.back(), 77.0f);
    ASSERT_EQ(indices.back(), kGuard);
    ASSERT_EQ(scratch.back(), kGuard);
    // Doubles have no rank in 32 bits, and are compared.
    const std::vector<double> wide(x.begin(), x.end());
    std::vector<int64_t> compared = guarded(outer * k * inner);
    reads[0] = wide.data();
    writes[0] = nullptr;
    writes[1] = compared.data();
    ASSERT_EQ(
        burin_rt::top_k<double>(ProcedureCall{reads, writes, arguments, nullptr, scratch.data()}),
        0);
    ASSERT_EQ(compared, indices);
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t n = 0; n < inner; ++n) {
        const auto at = [&](int64_t i) {
          return x[static_cast<size_t>((o * axis + i) * inner + n)];
        };
        std::vector<int64_t> order;
        for (int64_t i = 0; i < axis; ++i) order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
          return largest != 0 ? less(at(b), at(a)) : less(at(a), at(b));
        });
        for (int64_t i = 0; i < k; ++i) {
          const auto out = static_cast<size_t>((o * k + i) * inner + n);
          ASSERT_EQ(indices[out], order[static_cast<size_t>(i)]);
          ASSERT_EQ(std::memcmp(&values[out],
                                &x[static_cast<size_t>((o * axis + indices[out]) * inner + n)], 4),
                    0);
        }
      }
    }
  }
}

TEST(RtProcedures, TopKRefusesBadSizes) {
  const float x[4] = {1, 2, 3, 4};
  int64_t scratch[8];
  const void* reads[] = {x};
  void* writes[] = {nullptr, nullptr};
  const auto run = [&](std::vector<int64_t> arguments) {
    return burin_rt::top_k<float>(ProcedureCall{reads, writes, arguments.data(), nullptr, scratch});
  };
  EXPECT_EQ(run({1, 4, 1, 5, 1}), burin_rt::kInvalidArgument);
  EXPECT_EQ(run({1, 4, 1, -1, 1}), burin_rt::kInvalidArgument);
  EXPECT_EQ(run({int64_t{1} << 40, int64_t{1} << 40, 1, 1, 1}), burin_rt::kInvalidArgument);
  EXPECT_EQ(run({1, -4, 1, 1, 1}), burin_rt::kInvalidArgument);
  EXPECT_EQ(run({1, 4, 1, 4, 1}), burin_rt::kOk);
  EXPECT_EQ(run({0, 4, 1, 4, 1}), burin_rt::kOk);
}

TEST(RtProcedures, TopKOrdersHalves) {
  const burin_rt::F16 x[3] = {{0xbc00}, {0x3c00}, {0x7c00}};  // -1, 1, infinity
  const int64_t arguments[] = {1, 3, 1, 3, 1};
  burin_rt::F16 values[3];
  int64_t indices[3], scratch[3];
  const void* reads[] = {x};
  void* writes[] = {values, indices};
  ASSERT_EQ(
      burin_rt::top_k<burin_rt::F16>(ProcedureCall{reads, writes, arguments, nullptr, scratch}), 0);
  EXPECT_EQ(indices[0], 2);
  EXPECT_EQ(indices[1], 1);
  EXPECT_EQ(indices[2], 0);
  EXPECT_EQ(values[0].bits, 0x7c00);
}

template <class T>
void expect_ranks_as_compared(const std::vector<T>& values) {
  for (const T& a : values) {
    for (const T& b : values) {
      const uint32_t first = burin_rt::rank_of(a), second = burin_rt::rank_of(b);
      const int order = first < second ? -1 : first > second ? 1 : 0;
      ASSERT_EQ(order, burin_rt::compare(a, b)) << first << " " << second;
    }
  }
}

template <class T>
std::vector<T> ends_and_some() {
  std::mt19937 random(3);
  std::vector<T> values = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), 0, 1};
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<T>(random()));
  return values;
}

TEST(RtProcedures, RanksOrderAsComparisonsDo) {
  std::vector<float> floats = ends_and_some<float>();
  const float denormal = std::numeric_limits<float>::denorm_min(), inf = INFINITY;
  for (const float one : {0.0f, 1.0f, denormal, 1e-30f, 3e38f, inf, std::nanf("")}) {
    floats.push_back(one);
    floats.push_back(-one);
  }
  expect_ranks_as_compared(floats);
  std::vector<burin_rt::F16> halves;
  std::vector<burin_rt::BF16> brains;
  for (uint32_t bits = 0; bits < 65536; bits += 61) {
    halves.push_back({static_cast<uint16_t>(bits)});
    brains.push_back({static_cast<uint16_t>(bits)});
  }
  for (const uint16_t bits : {0x0000, 0x8000, 0x7c00, 0xfc00, 0x7f80, 0xff80, 0x7fff, 0xffff}) {
    halves.push_back({bits});
    brains.push_back({bits});
  }
  expect_ranks_as_compared(halves);
  expect_ranks_as_compared(brains);
  expect_ranks_as_compared(ends_and_some<int8_t>());
  expect_ranks_as_compared(ends_and_some<uint8_t>());
  expect_ranks_as_compared(ends_and_some<int16_t>());
  expect_ranks_as_compared(ends_and_some<uint16_t>());
  expect_ranks_as_compared(ends_and_some<int32_t>());
  expect_ranks_as_compared(ends_and_some<uint32_t>());
  expect_ranks_as_compared(std::vector<uint8_t>{0, 1});
}

TEST(RtProcedures, NonZeroListsCoordinates) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const int64_t rank = random() % 4 + 1;
    std::vector<int64_t> dims;
    int64_t elements = 1;
    for (int64_t r = 0; r < rank; ++r) dims.push_back(random() % 4 + (round % 10 == 0 ? 0 : 1));
    for (const int64_t d : dims) elements *= d;
    const std::vector<float> x = random_values(random, elements, 4, true);
    std::vector<std::vector<int64_t>> want;
    for (int64_t i = 0; i < elements; ++i) {
      if (x[static_cast<size_t>(i)] == 0) continue;
      std::vector<int64_t> position(static_cast<size_t>(rank));
      for (int64_t r = rank - 1, rest = i; r >= 0; --r) {
        position[static_cast<size_t>(r)] = rest % dims[static_cast<size_t>(r)];
        rest /= dims[static_cast<size_t>(r)];
      }
      want.push_back(position);
    }
    const auto count = static_cast<int64_t>(want.size());
    for (const int64_t capacity : {count, count - 1}) {
      if (capacity < 0) continue;
      std::vector<int64_t> arguments = {capacity, rank};
      arguments.insert(arguments.end(), dims.begin(), dims.end());
      std::vector<int64_t> out = guarded(rank * capacity);
      std::vector<int64_t> scratch =
          guarded(burin_rt::non_zero_scratch_bytes(arguments.data()) / 8);
      int64_t result = -1;
      const void* reads[] = {x.data()};
      void* writes[] = {out.data()};
      const ProcedureCall call{reads, writes, arguments.data(), &result, scratch.data()};
      const int32_t status = burin_rt::non_zero<float>(call);
      ASSERT_EQ(out.back(), kGuard);
      ASSERT_EQ(scratch.back(), kGuard);
      if (capacity < count) {
        ASSERT_EQ(status, burin_rt::kCapacityExceeded);
        continue;
      }
      ASSERT_EQ(status, 0);
      ASSERT_EQ(result, count);
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t r = 0; r < rank; ++r) {
          ASSERT_EQ(out[static_cast<size_t>(r * count + i)],
                    want[static_cast<size_t>(i)][static_cast<size_t>(r)]);
        }
      }
    }
  }
}

TEST(RtProcedures, CompressKeepsWhatTheConditionSays) {
  const uint16_t x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // [2, 3, 2]
  const unsigned char condition[] = {0, 1, 7};
  uint16_t y[8] = {};
  int64_t count = -1;
  const void* reads[] = {x, condition};
  void* writes[] = {y};
  const auto run = [&](std::vector<int64_t> arguments) {
    return burin_rt::compress<uint16_t>(
        ProcedureCall{reads, writes, arguments.data(), &count, nullptr});
  };
  ASSERT_EQ(run({2, 2, 3, 2, 3}), 0);
  EXPECT_EQ(count, 2);
  EXPECT_EQ((std::vector<uint16_t>(y, y + 8)), (std::vector<uint16_t>{3, 4, 5, 6, 9, 10, 11, 12}));
  ASSERT_EQ(run({2, 2, 3, 2, 2}), 0);  // a shorter condition
  EXPECT_EQ(count, 1);
  EXPECT_EQ(y[2], 9);
  EXPECT_EQ(run({1, 2, 3, 2, 3}), burin_rt::kCapacityExceeded);
  EXPECT_EQ(run({2, 2, 2, 2, 3}), burin_rt::kShapeMismatch);
  EXPECT_EQ(run({2, -2, 3, 2, 3}), burin_rt::kInvalidArgument);
}

TEST(RtProcedures, UniqueMatchesAMap) {
  std::mt19937 random(3);
  const auto slice_less = [](const std::vector<float>& a, const std::vector<float>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
  };
  for (int round = 0; round < 400; ++round) {
    const int64_t outer = random() % 2 + 1, axis = random() % 10 + 1, inner = random() % 2 + 1;
    const int64_t sorted = random() % 2;
    const std::vector<float> x = random_values(random, outer * axis * inner, 4, true);
    std::vector<std::vector<float>> slices;
    for (int64_t i = 0; i < axis; ++i) {
      std::vector<float> slice;
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t n = 0; n < inner; ++n)
          slice.push_back(x[static_cast<size_t>((o * axis + i) * inner + n)]);
      }
      slices.push_back(slice);
    }
    std::map<std::vector<float>, std::vector<int64_t>, decltype(slice_less)> places(slice_less);
    for (int64_t i = 0; i < axis; ++i) places[slices[static_cast<size_t>(i)]].push_back(i);
    std::vector<std::vector<int64_t>> groups;
    for (const auto& [slice, indices] : places) groups.push_back(indices);
    if (sorted == 0) std::sort(groups.begin(), groups.end());
    const auto count = static_cast<int64_t>(groups.size());

    const int64_t capacity = count - (round % 7 == 0 ? 1 : 0);
    const int64_t arguments[] = {capacity, outer, axis, inner, sorted};
    std::vector<float> y(static_cast<size_t>(outer * capacity * inner) + 1, 77.0f);
    std::vector<int64_t> first = guarded(capacity), inverse = guarded(axis),
                         counts = guarded(capacity);
    std::vector<int64_t> scratch = guarded(burin_rt::unique_scratch_bytes(arguments) / 8);
    int64_t result = -1;
    const void* reads[] = {x.data()};
    void* writes[] = {y.data(), first.data(), inverse.data(), counts.data()};
    const int32_t status =
        burin_rt::unique<float>(ProcedureCall{reads, writes, arguments, &result, scratch.data()});
    ASSERT_EQ(y.back(), 77.0f);
    for (const auto* guard : {&first, &inverse, &counts, &scratch})
      ASSERT_EQ(guard->back(), kGuard);
    if (capacity < count) {
      ASSERT_EQ(status, burin_rt::kCapacityExceeded);
      continue;
    }
    ASSERT_EQ(status, 0);
    ASSERT_EQ(result, count);
    for (int64_t g = 0; g < count; ++g) {
      const std::vector<int64_t>& group = groups[static_cast<size_t>(g)];
      ASSERT_EQ(first[static_cast<size_t>(g)], group.front());
      ASSERT_EQ(counts[static_cast<size_t>(g)], static_cast<int64_t>(group.size()));
      for (const int64_t i : group) ASSERT_EQ(inverse[static_cast<size_t>(i)], g);
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t n = 0; n < inner; ++n) {
          ASSERT_EQ(std::memcmp(&y[static_cast<size_t>((o * count + g) * inner + n)],
                                &x[static_cast<size_t>((o * axis + group.front()) * inner + n)], 4),
                    0);
        }
      }
    }
  }
}

float overlap(const float* a, const float* b) {
  const float width = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  const float height = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  if (width <= 0 || height <= 0) return 0;
  const float common = width * height;
  return common / ((a[3] - a[1]) * (a[2] - a[0]) + (b[3] - b[1]) * (b[2] - b[0]) - common);
}

TEST(RtProcedures, SuppressionMatchesItsDefinition) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const int64_t batches = random() % 2 + 1, classes = random() % 2 + 1, boxes = random() % 12 + 1;
    const int64_t most = random() % 6;
    const float overlap_limit = static_cast<float>(random() % 8) / 8, score_limit = 0.25f;
    std::vector<float> corners, flipped, centred, scores;
    for (int64_t i = 0; i < batches * boxes; ++i) {
      const auto y = static_cast<float>(random() % 8), x = static_cast<float>(random() % 8);
      const auto height = static_cast<float>(random() % 4 + 1),
                 width = static_cast<float>(random() % 4 + 1);
      corners.insert(corners.end(), {y, x, y + height, x + width});
      flipped.insert(flipped.end(), {y + height, x, y, x + width});  // the other diagonal
      centred.insert(centred.end(), {x + width / 2, y + height / 2, width, height});
    }
    for (int64_t i = 0; i < batches * classes * boxes; ++i) {
      scores.push_back(random() % 9 == 0 ? std::nanf("") : static_cast<float>(random() % 8) / 8);
    }
    std::vector<int64_t> want;
    for (int64_t b = 0; b < batches; ++b) {
      for (int64_t c = 0; c < classes; ++c) {
        std::vector<int64_t> kept;
        std::vector<bool> gone(static_cast<size_t>(boxes));
        while (static_cast<int64_t>(kept.size()) < most) {
          int64_t best = -1;
          const float* score = scores.data() + (b * classes + c) * boxes;
          for (int64_t i = 0; i < boxes; ++i) {
            if (gone[static_cast<size_t>(i)] || !(score[i] > score_limit)) continue;
            if (best < 0 || score[i] > score[best]) best = i;
          }
          if (best < 0) break;
          gone[static_cast<size_t>(best)] = true;
          const float* box = corners.data() + b * boxes * 4;
          const bool hit = std::any_of(kept.begin(), kept.end(), [&](int64_t other) {
            return overlap(box + other * 4, box + best * 4) > overlap_limit;
          });
          if (hit) continue;
          kept.push_back(best);
          want.insert(want.end(), {b, c, best});
        }
      }
    }
    const auto count = static_cast<int64_t>(want.size() / 3);
    const float thresholds[] = {overlap_limit, score_limit};
    int form = 0;
    for (const auto* given : {&corners, &flipped, &centred}) {
      const int64_t arguments[] = {count, batches, classes, boxes, most, 1, form++ == 2 ? 1 : 0};
      std::vector<int64_t> out = guarded(3 * count);
      std::vector<int64_t> scratch =
          guarded(burin_rt::non_max_suppression_scratch_bytes(arguments) / 8);
      int64_t result = -1;
      const void* reads[] = {given->data(), scores.data(), thresholds};
      void* writes[] = {out.data()};
      const ProcedureCall call{reads, writes, arguments, &result, scratch.data()};
      ASSERT_EQ(burin_rt::non_max_suppression<float>(call), 0);
      ASSERT_EQ(result, count);
      ASSERT_EQ(scratch.back(), kGuard);
      ASSERT_EQ(out.back(), kGuard);
      out.pop_back();
      ASSERT_EQ(out, want);
      // Doubles have no rank in 32 bits, and are compared.
      const std::vector<double> wide_boxes(given->begin(), given->end()),
          wide_scores(scores.begin(), scores.end());
      const double wide_thresholds[] = {overlap_limit, score_limit};
      std::vector<int64_t> compared = guarded(3 * count);
      const void* wide_reads[] = {wide_boxes.data(), wide_scores.data(), wide_thresholds};
      void* wide_writes[] = {compared.data()};
      ASSERT_EQ(burin_rt::non_max_suppression<double>(
                    ProcedureCall{wide_reads, wide_writes, arguments, &result, scratch.data()}),
                0);
      compared.pop_back();
      ASSERT_EQ(compared, want);
    }
    if (count > 0) {
      const int64_t arguments[] = {count - 1, batches, classes, boxes, most, 1, 0};
      std::vector<int64_t> out = guarded(3 * (count - 1)), scratch = guarded(boxes);
      int64_t result = -1;
      const void* reads[] = {corners.data(), scores.data(), thresholds};
      void* writes[] = {out.data()};
      const ProcedureCall call{reads, writes, arguments, &result, scratch.data()};
      ASSERT_EQ(burin_rt::non_max_suppression<float>(call), burin_rt::kCapacityExceeded);
      ASSERT_EQ(out.back(), kGuard);
    }
  }
}

// By Leibniz' formula, over all permutations.
double leibniz(const std::vector<float>& m, int64_t n) {
  std::vector<size_t> columns;
  for (int64_t i = 0; i < n; ++i) columns.push_back(static_cast<size_t>(i));
  double sum = 0;
  do {
    double term = 1;
    for (size_t i = 0; i < columns.size(); ++i) {
      term *= static_cast<double>(m[i * columns.size() + columns[i]]);
      for (size_t j = 0; j < i; ++j) term = columns[j] > columns[i] ? -term : term;
    }
    sum += term;
  } while (std::next_permutation(columns.begin(), columns.end()));
  return sum;
}
TEST(RtProcedures, DeterminantsMatchLeibniz) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const int64_t n = random() % 6;
    const std::vector<float> one = random_values(random, n * n, 7, false);
    std::vector<float> two = one;  // a batch: the second has two rows swapped
    if (n > 1) std::swap_ranges(two.begin(), two.begin() + n, two.begin() + n);
    std::vector<float> x = one;
    x.insert(x.end(), two.begin(), two.end());
    const int64_t arguments[] = {2, n};
    float y[3] = {77, 77, 77};
    std::vector<int64_t> scratch = guarded(burin_rt::determinant_scratch_bytes(arguments) / 8);
    const void* reads[] = {x.data()};
    void* writes[] = {y};
    const ProcedureCall call{reads, writes, arguments, nullptr, scratch.data()};
    ASSERT_EQ(burin_rt::determinant<float>(call), 0);
    const double want = leibniz(one, n);
    EXPECT_NEAR(static_cast<double>(y[0]), want, 1e-6 * std::max(1.0, std::fabs(want)));
    EXPECT_NEAR(static_cast<double>(y[1]), n > 1 ? -want : want,
                1e-6 * std::max(1.0, std::fabs(want)));
    EXPECT_EQ(y[2], 77.0f);
    EXPECT_EQ(scratch.back(), kGuard);
  }
  const int64_t bad[] = {1, -2};
  EXPECT_EQ(burin_rt::determinant<float>(ProcedureCall{nullptr, nullptr, bad, nullptr, nullptr}),
            burin_rt::kInvalidArgument);
}

}  // namespace
