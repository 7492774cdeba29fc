#include "plan/packing/buffer_packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "plan/packing/packing_search.h"
#include "plans/support/packing_instances.h"

namespace burin::buffer_packing_test {
namespace {

using test::Numbers;

TEST(Pack, NothingNeedsNothing) {
  const BufferPacking solution = pack_buffers({});
  EXPECT_EQ(solution.height, 0);
  EXPECT_TRUE(solution.optimal);
}

TEST(Pack, EqualsBruteForceOnSmallProblems) {
  Numbers numbers(1);
  int beyond_bound = 0;
  for (int i = 0; i < 4000; ++i) {
    const int count = static_cast<int>(numbers.between(1, 7));
    const std::vector<LiveBuffer> buffers = test::random_buffers(numbers, count, 9, 6);
    const BufferPacking solution = pack_buffers(buffers);
    ASSERT_EQ(check_buffer_packing(buffers, solution), "");
    ASSERT_TRUE(solution.optimal);
    const int64_t least = test::least_height(buffers);
    ASSERT_EQ(solution.height, least);
    if (least > live_sum_bound(buffers)) ++beyond_bound;
  }
  // The live sum alone does not decide these.
  EXPECT_GT(beyond_bound, 50);
}

TEST(Pack, SearchDecidesEveryCapacityAsBruteForceDoes) {
  Numbers numbers(2);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<LiveBuffer> buffers =
        test::random_buffers(numbers, static_cast<int>(numbers.between(2, 7)), 7, 5);
    const int64_t least = test::least_height(buffers);
    for (int64_t capacity = live_sum_bound(buffers) - 1; capacity <= least + 1; ++capacity) {
      const SearchOutcome outcome = search_buffer_packing(buffers, capacity, 100000);
      EXPECT_EQ(outcome.result,
                capacity >= least ? SearchResult::solved : SearchResult::infeasible);
    }
  }
}

// The two baselines, from their descriptions and nothing else.
int64_t first_come_best_fit(const std::vector<LiveBuffer>& buffers, std::vector<size_t> order) {
  struct Placed {
    int64_t from, to;
    size_t buffer;
  };
  std::vector<Placed> placed;
  int64_t height = 0;
  for (const size_t b : order) {
    int64_t best = -1, best_room = 0;
    // A hole starts at 0 or where something ends that is live now.
    std::vector<int64_t> starts = {0};
    for (const Placed& one : placed) {
      if (lives_overlap(buffers[b], buffers[one.buffer])) starts.push_back(one.to);
    }
    for (const int64_t start : starts) {
      int64_t room = std::numeric_limits<int64_t>::max();
      for (const Placed& one : placed) {
        if (!lives_overlap(buffers[b], buffers[one.buffer])) continue;
        if (one.from <= start && start < one.to) room = 0;
        if (one.from >= start) room = std::min(room, one.from - start);
      }
      if (room < buffers[b].size) continue;
      const bool better = best < 0 || room < best_room || (room == best_room && start < best);
      if (better) best = start, best_room = room;
    }
    placed.push_back({best, best + buffers[b].size, b});
    height = std::max(height, best + buffers[b].size);
  }
  return height;
}

TEST(Pack, BaselinesDoWhatTheirPapersSay) {
  Numbers numbers(7);
  int apart = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<LiveBuffer> buffers =
        test::random_buffers(numbers, static_cast<int>(numbers.between(1, 14)), 9, 50);
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(buffers[a].live[0].first, -buffers[a].size) <
             std::pair(buffers[b].live[0].first, -buffers[b].size);
    });
    const BufferPacking in_time = pack_buffers_by(buffers, BufferPackingRule::best_fit);
    const BufferPacking outward = pack_buffers_by(buffers, BufferPackingRule::peak_outward);
    ASSERT_EQ(check_buffer_packing(buffers, in_time), "");
    ASSERT_EQ(check_buffer_packing(buffers, outward), "");
    ASSERT_EQ(in_time.height, first_come_best_fit(buffers, order));
    ASSERT_EQ(pack_buffers(buffers, {.rule = BufferPackingRule::best_fit}), in_time);
    const int64_t best = pack_buffers(buffers).height;
    ASSERT_LE(best, in_time.height);
    ASSERT_LE(best, outward.height);
    apart += best < in_time.height && best < outward.height;
  }
  EXPECT_GT(apart, 10);
}

TEST(Pack, GapsInLifetimesAreUsed) {
  // B is live in the gap of A.
  const std::vector<LiveBuffer> buffers = {{5, {{0, 1}, {4, 5}}}, {5, {{2, 3}}}};
  EXPECT_EQ(pack_buffers(buffers).height, 5);
}

TEST(Pack, SolvesCutRectanglesThatGreedyMisses) {
  int missed = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Numbers numbers(seed);
    const std::vector<LiveBuffer> buffers = test::cut_buffers(numbers, 40, 40, 4096, 0);
    if (!pack_buffers_greedily(buffers).optimal) ++missed;
    const BufferPacking solution = pack_buffers(buffers);
    ASSERT_EQ(check_buffer_packing(buffers, solution), "");
    EXPECT_TRUE(solution.optimal) << seed;
  }
  EXPECT_GE(missed, 10);
}

TEST(Pack, LargeProblemsHoldTheBudgetAndAreNeverWorseThanGreedy) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Numbers numbers(seed);
    const std::vector<LiveBuffer> buffers = test::random_buffers(numbers, 600, 300, 1000);
    const BufferPacking greedy = pack_buffers_greedily(buffers);
    const BufferPacking solution = pack_buffers(buffers, {.node_budget = 2000});
    ASSERT_EQ(check_buffer_packing(buffers, greedy), "");
    ASSERT_EQ(check_buffer_packing(buffers, solution), "");
    EXPECT_LE(solution.height, greedy.height);
    EXPECT_LE(solution.nodes, 2100);
    EXPECT_EQ(solution, pack_buffers(buffers, {.node_budget = 2000}));
  }
}

TEST(PackChecker, FindsEveryShiftedBuffer) {
  Numbers numbers(3);
  const std::vector<LiveBuffer> buffers = test::cut_buffers(numbers, 30, 30, 512, 0);
  const BufferPacking solution = pack_buffers(buffers);
  ASSERT_EQ(solution.height, 512);
  for (size_t b = 0; b < buffers.size(); ++b) {
    for (const int64_t shift : {-1, 1}) {  // every position is full
      BufferPacking wrong = solution;
      wrong.offsets[b] += shift;
      EXPECT_NE(check_buffer_packing(buffers, wrong), "");
    }
  }
  BufferPacking wrong = solution;
  wrong.height -= 1;
  EXPECT_NE(check_buffer_packing(buffers, wrong), "");
  wrong = solution;
  wrong.optimal = false;
  EXPECT_NE(check_buffer_packing(buffers, wrong), "");
}

}  // namespace
}  // namespace burin::buffer_packing_test
