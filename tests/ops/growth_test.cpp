// Bounds of extents that a loop changes: held against runs of random loops, in which every size of
// the run takes values that its own bound allows; and what they are where it is known.
#include "ops/api/loops/growth.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "kernel/index/size_bound.h"

namespace burin::growth_test {
namespace {

using Sizes = std::map<std::string, int64_t>;

Symbol unfolded(const std::string& name, SymbolOrigin origin, int64_t max,
                const Dim* most = nullptr) {
  SymbolInfo info{name, origin, 0, max, 0};
  if (most) info.most = std::make_shared<const Dim>(*most);
  return std::make_shared<const SymbolInfo>(std::move(info));
}

Dim symbol(const std::string& name, SymbolOrigin origin, int64_t max, const Dim* most = nullptr) {
  return Index::symbol(unfolded(name, origin, max, most));
}

int64_t value(const Dim& dim, const Sizes& sizes) {
  return dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); });
}

const Dim n = symbol("n", SymbolOrigin::param, kUnbounded);
const Dim m = symbol("m", SymbolOrigin::param, kUnbounded);

// A loop of at most so many trips. Of at most one, the number of the iteration is no symbol: 0.
struct Counting {
  explicit Counting(int64_t most)
      : trips(symbol("trips", SymbolOrigin::param, most)),
        last(max(trips - 1, 0)),
        iteration(unfolded("k", SymbolOrigin::iter, std::max<int64_t>(most - 1, 0), &last)),
        number(Index::symbol(iteration)) {}
  Dim trips, last;
  Symbol iteration;
  Dim number;
};

const Counting seven(7);
const Dim& trips = seven.trips;
const Dim& k = seven.number;

Dim state(int i) { return symbol("s" + std::to_string(i), SymbolOrigin::run, kUnbounded); }

Growth growth_of(const std::vector<std::pair<Dim, Dim>>& starts_and_results,
                 const Counting& counting) {
  Growth growth;
  for (const auto& [start, result] : starts_and_results) {
    const int number = static_cast<int>(growth.extents.size());
    growth.extents.push_back({state(number).as_symbol(), start, result});
  }
  growth.iteration = counting.iteration;
  growth.trips = counting.trips;
  growth.changes = [](const Symbol& one) { return one->origin != SymbolOrigin::param; };
  return growth;
}

std::vector<std::string> bounds(const std::vector<std::pair<Dim, Dim>>& starts_and_results,
                                const Counting& counting = seven) {
  std::vector<std::string> out;
  for (const auto& bound : bounds_of_growth(growth_of(starts_and_results, counting)))
    out.push_back(bound ? to_string(*bound) : "none");
  return out;
}

using Texts = std::vector<std::string>;
std::string text(const Dim& dim) { return to_string(dim); }

TEST(Growth, IsAsTightAsItIsKnown) {
  const Dim a = state(0), b = state(1), c = state(2);
  // The last four of one more; all but the first; all but the first of one more.
  EXPECT_EQ(bounds({{n, a + 1 - max(a - 3, 0)}}), Texts({text(max(n, 4))}));
  EXPECT_EQ(bounds({{n, max(a - 1, 0)}}), Texts({"n"}));
  EXPECT_EQ(bounds({{n, max(a + 1 - 1, 0)}}), Texts({"n"}));
  // One more and one less in turns, through another.
  EXPECT_EQ(bounds({{n, b + 1}, {n, max(a - 1, 0)}}), Texts({"n + 1", "n"}));
  EXPECT_EQ(bounds({{n, b}, {m, a}}), Texts({text(max(n, m)), text(max(n, m))}));
  // Every second one and three more.
  EXPECT_EQ(bounds({{n, ceildiv(a, 2) + 3}}), Texts({text(max(n, 7))}));
  // Growth of growth.
  EXPECT_EQ(bounds({{n, a + 1}, {m, a + b}}),
            Texts({text(n + trips), text(m + n * trips + floordiv(trips * trips - trips, 2))}));
  EXPECT_EQ(bounds({{n, a + k + 1}}), Texts({text(n + floordiv(trips * trips + trips, 2))}));
  // Fibonacci: 13 and 21 are what seven iterations make of 1 and 1.
  EXPECT_EQ(bounds({{1, b}, {1, a + b}}), Texts({"21", "34"}));
  // Seven times at most, by seven at most.
  EXPECT_EQ(bounds({{n, a * b}, {1, b + 1}}), Texts({"823543*n", text(trips + 1)}));
  // Swapped in every iteration: each gets longer in every second one, the first the other first.
  EXPECT_EQ(bounds({{n, b + 1}, {n, a}}),
            Texts({text(n + floordiv(trips + 1, 2)), text(n + floordiv(trips, 2))}));
  EXPECT_EQ(bounds({{n, b + m}, {n, a}}),
            Texts({text(n + m * floordiv(trips + 1, 2)), text(n + m * floordiv(trips, 2))}));
  // Both get longer, by different lengths: three in two iterations.
  EXPECT_EQ(bounds({{n, b + 1}, {n, a + 2}}),
            Texts({text(n + floordiv(trips + 1, 2) + 2 * floordiv(trips, 2)),
                   text(n + 2 * floordiv(trips + 1, 2) + floordiv(trips, 2))}));
  // Handed round among three; what a fourth adds of them.
  EXPECT_EQ(bounds({{n, b + 1}, {n, c}, {n, a}}),
            Texts({text(n + floordiv(trips + 2, 3)), text(n + floordiv(trips, 3)),
                   text(n + floordiv(trips + 1, 3))}));
  EXPECT_EQ(bounds({{n, b + 1}, {n, a}, {m, c + a}})[2],
            text(m + floordiv(4 * n * trips + trips * trips + trips, 4)));
  EXPECT_EQ(bounds({{n, a + b * c}, {2, b}, {0, c + 1}})[0], text(n + trips * trips - trips));
}

TEST(Growth, OfALoopThatRunsOnceAtMost) {
  const Dim a = state(0), b = state(1);
  for (const Dim& once : {Dim(1), Counting(1).trips}) {
    Counting counting(1);
    counting.trips = once;
    EXPECT_EQ(bounds({{n, a + m}}, counting), Texts({text(n + m * once)}));
    EXPECT_EQ(bounds({{n, b + 1}, {n, a}}, counting), Texts({text(n + floordiv(once + 1, 2)), "n"}));
    EXPECT_EQ(bounds({{n, a + counting.number + 1}}, counting), Texts({text(n + once)}));
    EXPECT_EQ(bounds({{n, a + a}}, counting), Texts({"2*n"}));
  }
  EXPECT_EQ(bounds({{n, a + m}}, Counting(0)), Texts({"n"}));
  // Handed back after the second.
  EXPECT_EQ(bounds({{n, b + 1}, {n, a}}, Counting(2))[1], text(n + floordiv(Counting(2).trips, 2)));
}

// A size over all that changes, over what lasts, and over a dynamic size that has a bound.
class RandomSizes {
 public:
  RandomSizes(unsigned seed, Dim number) : random_(seed), number_(std::move(number)) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  Dim size(int states, int depth) {
    if (depth == 0 || below(4) == 0) return leaf(states);
    const Dim a = size(states, depth - 1), b = size(states, depth - 1);
    switch (below(7)) {
      case 0:
        return max(a, b);
      case 1:
        return min(a, b);
      case 2:
        return max(a - b, 0);
      case 3:
        return floordiv(a, 1 + below(3));
      case 4:
        return mod(a, 1 + below(4));
      default:
        return a + b;
    }
  }

  std::vector<std::pair<Symbol, Dim>> found;  // dynamic sizes, with their bounds

 private:
  Dim leaf(int states) {
    switch (below(8)) {
      case 0:
        return n;
      case 1:
        return number_;
      case 2:
        return below(4);
      case 3: {
        const Dim most = state(below(states)) + below(2);
        const Dim made =
            symbol("found" + std::to_string(found.size()), SymbolOrigin::run, kUnbounded, &most);
        found.emplace_back(made.as_symbol(), most);
        return made;
      }
      default:
        return state(below(states));
    }
  }

  std::mt19937 random_;
  Dim number_;
};

// The most that each extent is in a run.
std::vector<int64_t> run(const Growth& growth, RandomSizes& random, Sizes sizes) {
  std::vector<int64_t> most;
  for (const GrowingExtent& one : growth.extents) {
    sizes[one.symbol->name] = value(one.start, sizes);
    most.push_back(sizes[one.symbol->name]);
  }
  const int64_t times = sizes.at("trips");
  for (int64_t at = 0; at < times; ++at) {
    sizes["k"] = at;
    for (const auto& [found, limit] : random.found) {
      const int64_t highest = value(limit, sizes);
      sizes[found->name] = random.below(2) ? highest : highest / 2;
    }
    Sizes next = sizes;
    for (size_t i = 0; i < most.size(); ++i) {
      const int64_t becomes = value(growth.extents[i].result, sizes);
      if (becomes > 1000000) return most;  // far enough
      next[growth.extents[i].symbol->name] = becomes;
      most[i] = std::max(most[i], becomes);
    }
    sizes = std::move(next);
  }
  return most;
}

struct Seen {
  int bounded = 0, reached = 0;
};

// Random loops of at most so many trips: what is found out about them holds in every run.
Seen check_runs(int64_t most_trips) {
  Seen seen;
  const Counting counting(most_trips);
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomSizes random(seed, counting.number);
    const int states = 1 + random.below(3);
    std::vector<std::pair<Dim, Dim>> extents;
    for (int i = 0; i < states; ++i)
      extents.emplace_back(random.below(2) ? n : m, random.size(states, 2));
    const Growth growth = growth_of(extents, counting);
    const std::vector<std::optional<Dim>> bounds = bounds_of_growth(growth);
    std::set<size_t> met;
    for (int choice = 0; choice < 12; ++choice) {
      const int64_t times = choice % (most_trips + 1);
      const Sizes sizes = {{"n", random.below(6)}, {"m", random.below(6)}, {"trips", times}};
      const std::vector<int64_t> most = run(growth, random, sizes);
      for (size_t i = 0; i < most.size(); ++i) {
        if (!bounds[i]) continue;
        EXPECT_TRUE(is_bounded_before_run(*bounds[i]));
        const int64_t bound = value(*bounds[i], sizes);
        EXPECT_LE(most[i], bound) << to_string(extents[i].second)
                                  << " <= " << to_string(*bounds[i]);
        if (times >= std::min<int64_t>(most_trips, 2) && most[i] == bound) met.insert(i);
      }
    }
    for (const auto& bound : bounds) seen.bounded += bound.has_value();
    seen.reached += static_cast<int>(met.size());
  }
  return seen;
}

TEST(Growth, NoRunLeavesTheBounds) {
  for (const int64_t most_trips : {0, 1, 2, 7}) {
    SCOPED_TRACE(most_trips);
    const Seen seen = check_runs(most_trips);
    EXPECT_GT(seen.bounded, 600);
    EXPECT_GT(seen.reached, seen.bounded / 2);
  }
}

}  // namespace
}  // namespace burin::growth_test
