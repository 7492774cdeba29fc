#include "plan/packing/stacking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "plan/packing/buffer_packing.h"
#include "plan/packing/regret.h"
#include "plans/support/packing_instances.h"

namespace burin::stacking_test {
namespace {

using test::Numbers;

struct Instance {
  std::vector<std::vector<LiveBuffer>> at;  // by point; the same lifetimes
  StackProblem problem;
};

// Buffers whose sizes at other points are drawn anew, or are 0.
Instance random_instance(Numbers& numbers, int count, size_t points) {
  Instance out;
  const std::vector<LiveBuffer> buffers = test::random_buffers(numbers, count, 9, 8);
  out.problem.conflicts.resize(buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    for (size_t b = 0; b < buffers.size(); ++b) {
      if (a != b && lives_overlap(buffers[a], buffers[b]))
        out.problem.conflicts[a].push_back(static_cast<int>(b));
    }
  }
  for (size_t k = 0; k < points; ++k) {
    std::vector<LiveBuffer> sized = buffers;
    std::vector<int64_t> sizes;
    for (LiveBuffer& buffer : sized) {
      if (k > 0) buffer.size = numbers.one_in(6) ? 0 : numbers.between(1, 20);
      sizes.push_back(buffer.size);
    }
    out.problem.bounds.push_back(live_sum_bound(sized));
    out.problem.sizes.push_back(std::move(sizes));
    out.at.push_back(std::move(sized));
  }
  return out;
}

std::vector<int> first_order(size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// By the definition: each on top of all that was put down before and is live with it.
BufferPacking stacked(const std::vector<LiveBuffer>& buffers, const std::vector<int>& order) {
  BufferPacking out;
  out.offsets.assign(buffers.size(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto b = static_cast<size_t>(order[i]);
    for (size_t j = 0; j < i; ++j) {
      const auto below = static_cast<size_t>(order[j]);
      if (!lives_overlap(buffers[b], buffers[below])) continue;
      out.offsets[b] = std::max(out.offsets[b], out.offsets[below] + buffers[below].size);
    }
    out.height = std::max(out.height, out.offsets[b] + buffers[b].size);
  }
  out.lower_bound = live_sum_bound(buffers);
  out.optimal = out.height == out.lower_bound;
  return out;
}

TEST(Stacking, AnyOrderIsAPackingOfTheStatedHeightAtEveryPoint) {
  Numbers numbers(1);
  for (int i = 0; i < 300; ++i) {
    const Instance instance = random_instance(numbers, static_cast<int>(numbers.between(1, 12)), 3);
    std::vector<int> order = first_order(instance.at[0].size());
    for (size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[static_cast<size_t>(numbers.below(static_cast<int64_t>(k)))]);
    const std::vector<int64_t> heights = heights_of(instance.problem, order);
    for (size_t k = 0; k < instance.at.size(); ++k) {
      const BufferPacking solution = stacked(instance.at[k], order);
      ASSERT_EQ(check_buffer_packing(instance.at[k], solution), "");
      ASSERT_EQ(solution.height, heights[k]);
    }
  }
}

TEST(Stacking, SearchIsAsGoodAsEveryOrderOfSmallProblems) {
  Numbers numbers(2);
  int improved = 0;
  int missed = 0;
  for (int i = 0; i < 100; ++i) {
    const Instance instance = random_instance(numbers, static_cast<int>(numbers.between(5, 7)), 3);
    std::vector<int> order = first_order(instance.at[0].size());
    const std::vector<int64_t> given =
        regret_of(heights_of(instance.problem, order), instance.problem.bounds);
    const Stacking found = search_stacking(instance.problem, {order}, 400000);
    std::vector<int> sorted = found.order;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, order);
    ASSERT_EQ(found.heights, heights_of(instance.problem, found.order));
    const std::vector<int64_t> reached = regret_of(found.heights, instance.problem.bounds);
    ASSERT_LE(reached, given);
    std::vector<int64_t> least = given;
    do {
      least =
          std::min(least, regret_of(heights_of(instance.problem, order), instance.problem.bounds));
    } while (std::next_permutation(order.begin(), order.end()));
    missed += reached > least;
    improved += least < given;
  }
  EXPECT_GT(improved, 10);
  EXPECT_LE(missed, 3);  // a walk is no proof
}

TEST(Stacking, FindsTheOrderThatIsGoodAtPointsThatDisagree) {
  // A and B are never live together; L lies with A, M with B, C with both. At the first point every
  // order is as good. At the second, C below A and B leaves nothing; C above A alone wastes B.
  const std::vector<std::vector<int>> conflicts = {{2, 3}, {2, 4}, {0, 1, 3, 4}, {0, 2}, {1, 2}};
  const StackProblem problem = {
      {{4, 4, 2, 1, 1}, {9, 1, 2, 1, 9}, {1, 9, 2, 9, 1}}, conflicts, {7, 12, 12}};
  const std::vector<int> poor = {0, 2, 1, 3, 4};  // C on A, B on C
  EXPECT_GT(regret_of(heights_of(problem, poor), problem.bounds),
            (std::vector<int64_t>{0, 0, 0, 0}));
  const Stacking found = search_stacking(problem, {poor}, 100000);
  EXPECT_EQ(found.heights, problem.bounds);
}

}  // namespace
}  // namespace burin::stacking_test
