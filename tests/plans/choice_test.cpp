// The exact solver of choices against trying every combination, on thousands of random graphs; its
// bounds where it may not finish; and shapes of graphs that each part of it is for.
#include "choice/choice.h"

#include <gtest/gtest.h>

#include <random>

namespace burin::choice_test {
namespace {

// Random numbers that are the same with every library.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  int upto(int last) { return static_cast<int>(engine_() % static_cast<uint32_t>(last + 1)); }
  Cost cost() { return upto(19) == 0 ? kForbidden : upto(99); }

 private:
  std::mt19937 engine_;
};

std::vector<Cost> random_costs(Dice& dice, size_t count) {
  std::vector<Cost> costs;
  for (size_t i = 0; i < count; ++i) costs.push_back(dice.cost());
  return costs;
}

void connect(Choice& choice, Dice& dice, int a, int b) {
  const size_t count =
      choice.costs[static_cast<size_t>(a)].size() * choice.costs[static_cast<size_t>(b)].size();
  choice.pairs.push_back({a, b, random_costs(dice, count)});
}

// Up to 12 variables of 1 to 4 states, at most 2^14 combinations; edges from none to all, some of
// them twice and in either direction.
Choice random_choice(Dice& dice) {
  constexpr int kCombinations = 1 << 14;
  Choice choice;
  const int variables = 1 + dice.upto(11), density = dice.upto(100);
  int combinations = 1;
  for (int v = 0; v < variables; ++v) {
    int states = 1 + dice.upto(3);
    while (combinations * states > kCombinations) --states;
    combinations *= states;
    choice.costs.push_back(random_costs(dice, static_cast<size_t>(states)));
  }
  for (int a = 0; a < variables; ++a) {
    for (int b = 0; b < variables; ++b) {
      if (a != b && dice.upto(199) < density) connect(choice, dice, a, b);
    }
  }
  return choice;
}

// The least cost, from the definition.
Cost brute_force(const Choice& choice) {
  std::vector<int> states(choice.costs.size(), 0);
  Cost least = kForbidden;
  for (;;) {
    least = std::min(least, cost_of(choice, states));
    size_t v = 0;
    for (; v < states.size(); ++v) {
      if (++states[v] < static_cast<int>(choice.costs[v].size())) break;
      states[v] = 0;
    }
    if (v == states.size()) return least;
  }
}

TEST(Choice, AgreesWithBruteForce) {
  // Eliminating everything; eliminating only what is small; branching on everything beyond R2.
  SolveOptions small, none;
  small.table_entries = 64;
  none.table_entries = none.bound_entries = 1;
  int eliminated = 0, widest = 0;
  int64_t branches = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Dice dice(seed);
    const Choice choice = random_choice(dice);
    const Cost least = brute_force(choice);
    for (const SolveOptions& options : {SolveOptions{}, small, none}) {
      const Solved solved = solve(choice, options);
      ASSERT_EQ(solved.cost, least) << "seed " << seed << ": " << to_string(solved);
      ASSERT_EQ(cost_of(choice, solved.states), least) << "seed " << seed;
      ASSERT_TRUE(solved.optimal && solved.bound == least) << "seed " << seed;
      eliminated += solved.eliminated;
      widest = std::max(widest, solved.widest);
      branches += solved.branches;
    }
  }
  EXPECT_GT(eliminated, 1000);
  EXPECT_GT(widest, 8);
  EXPECT_GT(branches, 10000);
}

// With no budget the answer may be worse than the best one, and the bound lies below that.
TEST(Choice, BoundsHoldWithoutABudget) {
  SolveOptions options;
  options.table_entries = 1;
  options.bound_entries = 16;
  options.branches = 0;
  int open = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Dice dice(seed);
    const Choice choice = random_choice(dice);
    const Cost least = brute_force(choice);
    const Solved solved = solve(choice, options);
    ASSERT_LE(solved.bound, least) << "seed " << seed;
    ASSERT_GE(solved.cost, least) << "seed " << seed;
    ASSERT_EQ(solved.cost, cost_of(choice, solved.states)) << "seed " << seed;
    ASSERT_EQ(solved.optimal, solved.cost == solved.bound);
    open += !solved.optimal;
  }
  EXPECT_GT(open, 10);
}

// A ladder of 3000 variables has tree-width 2: nothing is branched on, no table is larger than an
// edge's.
TEST(Choice, FoldsALadder) {
  Dice dice(7);
  Choice choice;
  constexpr int kRungs = 1500;
  for (int v = 0; v < 2 * kRungs; ++v) choice.costs.push_back(random_costs(dice, 5));
  for (int r = 0; r < kRungs; ++r) {
    connect(choice, dice, 2 * r, 2 * r + 1);
    if (r == 0) continue;
    connect(choice, dice, 2 * r - 2, 2 * r);
    connect(choice, dice, 2 * r - 1, 2 * r + 1);
  }
  const Solved solved = solve(choice);
  EXPECT_TRUE(solved.optimal);
  EXPECT_EQ(solved.folded, 2 * kRungs);
  EXPECT_EQ(solved.eliminated, 0);
  EXPECT_EQ(cost_of(choice, solved.states), solved.cost);
}

// A grid of width 7 is beyond the reductions; tables of that rank or little more solve it.
TEST(Choice, EliminatesAGrid) {
  Dice dice(11);
  Choice choice;
  constexpr int kWide = 7, kLong = 30;
  for (int v = 0; v < kWide * kLong; ++v) choice.costs.push_back(random_costs(dice, 3));
  for (int v = 0; v < kWide * kLong; ++v) {
    if (v % kWide > 0) connect(choice, dice, v - 1, v);
    if (v >= kWide) connect(choice, dice, v - kWide, v);
  }
  const Solved solved = solve(choice);
  EXPECT_TRUE(solved.optimal);
  EXPECT_GT(solved.eliminated, 0);
  EXPECT_LE(solved.widest, kWide + 3);  // min-fill is near the least, not the least
  EXPECT_EQ(solved.branches, 0);
  EXPECT_EQ(cost_of(choice, solved.states), solved.cost);
}

TEST(Choice, TheSameProblemHasTheSameAnswer) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Dice one(seed), other(seed);
    EXPECT_EQ(solve(random_choice(one)), solve(random_choice(other)));
  }
}

TEST(Choice, NothingIsAllowed) {
  Choice choice;
  choice.costs = {{0, 1}, {2, 3}};
  choice.pairs = {{0, 1, {kForbidden, kForbidden, kForbidden, kForbidden}}};
  EXPECT_EQ(solve(choice).cost, kForbidden);
  EXPECT_EQ(solve(Choice{}).cost, 0);
}

}  // namespace
}  // namespace burin::choice_test
