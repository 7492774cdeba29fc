// Which of a few trees is the fastest, from times that differ from run to run.
#include "tune/contest.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/numbers.h"

namespace burin::contest_test {
namespace {

Times times(std::vector<double> us) { return {std::move(us)}; }

TEST(Contest, FasterIsBeyondChance) {
  const Times slow = times({100, 101, 102, 103, 104, 105, 106, 107, 150});
  // Of 81 pairs 11 are the other way about, then 12.
  EXPECT_TRUE(is_faster(times({80, 90, 91, 92, 93, 94, 95, 101.5, 200}), slow));
  EXPECT_FALSE(is_faster(times({80, 90, 91, 92, 93, 94, 95, 102.5, 200}), slow));
  EXPECT_FALSE(is_faster(slow, slow));
  EXPECT_TRUE(is_faster(slow, times({})));
  EXPECT_FALSE(is_faster(times({}), slow));
}

TEST(Contest, TheHolderStaysUnlessAnotherIsFaster) {
  const Times untuned = times({100, 101, 102}), good = times({80, 81, 82}),
              alike = times({79, 81, 83}), best = times({60, 61, 62});
  EXPECT_EQ(winner_of({untuned, good}, 0), 1u);
  EXPECT_EQ(winner_of({untuned, good, alike}, 1), 1u);
  EXPECT_EQ(winner_of({untuned, good, alike}, 2), 2u);
  EXPECT_EQ(winner_of({untuned, good, best}, 1), 2u);
  EXPECT_EQ(winner_of({untuned, times({99, 100, 104})}, 0), 0u);
  // A file that makes it slower goes.
  EXPECT_EQ(winner_of({good, untuned}, 1), 0u);
  EXPECT_EQ(winner_of({good, times({})}, 1), 0u);
}

TEST(Contest, ChanceAloneHardlyEverWins) {
  Numbers numbers(1);
  int won = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::vector<Times> all =
        measure_in_turns(2, 9, [&](size_t) { return 1.0 + double(numbers.below(1u << 20)); });
    won += winner_of(all, 0) != 0;
  }
  EXPECT_NEAR(won, 20000 / 255, 30);
}

TEST(Contest, TurnsAreSideBySideAndOneFailureIsNoEnd) {
  std::string order;
  const auto cost = [&](size_t i) {
    order += char('a' + i);
    const bool fails = i == 2 ? order.size() > 3 : order.size() == 2;
    return fails ? std::numeric_limits<double>::infinity() : 5.0;
  };
  const std::vector<Times> all = measure_in_turns(3, 4, cost);
  EXPECT_EQ(order, "abcabcabcabc");
  EXPECT_EQ(all[0].us.size(), 4u);
  EXPECT_EQ(all[1].us.size(), 3u);
  EXPECT_TRUE(all[2].us.empty());
}

}  // namespace
}  // namespace burin::contest_test
