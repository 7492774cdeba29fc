// A caller's parallel_for that keeps its promise, and every way to break it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "runtime_min/parallel.h"

namespace burin::rt_parallel_test {
namespace {

struct Range {
  int64_t begin, end;
  int32_t worker;
};

using Division = std::function<void(int64_t n, const std::function<void(Range)>& body)>;

void call(void* user, int64_t n, BurinRtBody body, void* data) {
  (*static_cast<const Division*>(user))(
      n, [&](Range range) { body(data, range.begin, range.end, range.worker); });
}

// Whether the run is taken for right; `times` counts how often each part ran.
bool accepts(int64_t n, int32_t workers, Division run, std::vector<int>* times = nullptr) {
  std::vector<int> own(static_cast<size_t>(n));
  const bool right = burin_rt::run_parallel({call, &run, workers}, n,
                                            [&](int64_t begin, int64_t end, int32_t worker) {
                                              EXPECT_LE(0, worker);
                                              EXPECT_LT(worker, workers);
                                              for (int64_t i = begin; i < end; ++i)
                                                ++own[static_cast<size_t>(i)];
                                            });
  if (times) *times = own;
  return right;
}

Division ranges(std::vector<Range> all) {
  return [all](int64_t, const std::function<void(Range)>& body) {
    for (const Range& one : all) body(one);
  };
}

TEST(RtParallel, AnyDivisionInAnyOrderIsRight) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto n = static_cast<int64_t>(random() % 200 + 2);
    std::vector<Range> all;
    for (int64_t at = 0; at < n;) {
      const int64_t end = std::min<int64_t>(n, at + static_cast<int64_t>(random() % 9));
      all.push_back({at, end, static_cast<int32_t>(random() % 4)});
      at = end;
    }
    std::shuffle(all.begin(), all.end(), random);
    std::vector<int> times;
    ASSERT_TRUE(accepts(n, 4, ranges(all), &times));
    for (const int count : times) ASSERT_EQ(count, 1);
  }
}

TEST(RtParallel, PartsThatRanTwiceOrNeverAreFound) {
  EXPECT_FALSE(accepts(8, 4, ranges({{0, 4, 0}, {0, 4, 1}})));  // as many as there are
  EXPECT_FALSE(accepts(8, 4, ranges({{0, 8, 0}, {3, 4, 1}})));
  EXPECT_FALSE(accepts(8, 4, ranges({{0, 3, 0}, {4, 8, 1}})));
  EXPECT_FALSE(accepts(8, 4, ranges({})));
  // Every other half, every pair of parts changed for another.
  for (int64_t n = 2; n <= 64; ++n) {
    for (int64_t skipped = 0; skipped < n; ++skipped) {
      for (int64_t twice = 0; twice < n; ++twice) {
        std::vector<Range> all;
        for (int64_t i = 0; i < n; ++i) {
          const int64_t part = i == skipped ? twice : i;
          all.push_back({part, part + 1, 0});
        }
        ASSERT_EQ(accepts(n, 1, ranges(all)), skipped == twice) << n << skipped << twice;
      }
    }
  }
}

// How often parts run is drawn, with their number right: none of a million draws is taken for
// right.
TEST(RtParallel, NumbersAloneAreNotEnough) {
  std::mt19937 random(3);
  int wrong = 0;
  for (int round = 0; round < 1'000'000; ++round) {
    constexpr int64_t kParts = 16;
    burin_rt::detail::Marks sum = {0, 0};
    std::array<int, kParts> times{};
    for (int64_t i = 0; i < kParts; ++i) {
      const int64_t part = static_cast<int64_t>(random() % kParts);
      ++times[static_cast<size_t>(part)];
      const burin_rt::detail::Marks one = burin_rt::detail::between(part, part + 1);
      sum.a += one.a, sum.b += one.b;
    }
    const burin_rt::detail::Marks all = burin_rt::detail::between(0, kParts);
    const bool each = std::all_of(times.begin(), times.end(), [](int count) { return count == 1; });
    wrong += (sum.a == all.a && sum.b == all.b) != each;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(RtParallel, RangesAndWorkersOfNobodyDoNotRun) {
  for (const Range bad :
       {Range{-1, 4, 0}, Range{4, 9, 0}, Range{5, 4, 0}, Range{0, 8, 4}, Range{0, 8, -1}}) {
    std::vector<int> times;
    EXPECT_FALSE(accepts(8, 4, ranges({bad, {0, 8, 0}}), &times)) << bad.begin << " " << bad.end;
    for (const int count : times) EXPECT_EQ(count, 1);
  }
}

// A range inside of another one stands for one on another thread at the same time.
TEST(RtParallel, AWorkerRunsOneRangeAtATime) {
  for (const int32_t other : {0, 1}) {
    Division* self = nullptr;
    std::function<void(Range)> inner;
    Division run = [&](int64_t, const std::function<void(Range)>& body) {
      inner = body;
      body({0, 4, 0});
    };
    self = &run;
    bool nested = false;
    const bool right =
        burin_rt::run_parallel({call, self, 2}, int64_t{8}, [&](int64_t, int64_t, int32_t) {
          if (!std::exchange(nested, true)) inner({4, 8, other});
        });
    EXPECT_EQ(right, other == 1);
  }
}

}  // namespace
}  // namespace burin::rt_parallel_test
