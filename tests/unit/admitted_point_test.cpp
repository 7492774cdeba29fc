// Points that a search finds against all points of a square.
#include "lower/admitted_point.h"

#include <gtest/gtest.h>

#include <random>

namespace burin::admitted_point_test {
namespace {

constexpr int64_t kMost = 12;

Symbol size(const std::string& name, int64_t max) {
  return std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, 1, max, 0});
}

TEST(AdmittedPoint, PeriodsCostTheirSum) {
  const Symbol x = size("x", kUnbounded);
  std::vector<Check> checks;
  int64_t product = 1;
  for (const int64_t period : {101, 103, 107, 109}) {
    checks.push_back({{{mod(Index::symbol(x), period), 0, 1}}, "period", {}});
    product *= period;
  }
  int64_t work = 20'000;
  const auto found = admitted_point(checks, {x}, {{"x", 64}}, work);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->at("x") % product, 0);
  EXPECT_GT(work, 0);
  // Without the work there is no answer.
  work = 50;
  EXPECT_EQ(admitted_point(checks, {x}, {{"x", 64}}, work), std::nullopt);
}

TEST(AdmittedPoint, WhatIsNotMovableStays) {
  const Symbol x = size("x", kMost), y = size("y", kMost);
  const Check sum{{{Index::symbol(x) + Index::symbol(y), 9, 10}}, "sum", {}};
  int64_t work = 1000;
  EXPECT_EQ(admitted_point({sum}, {y}, {{"x", 4}, {"y", 1}}, work),
            (SizePoint{{"x", 4}, {"y", 5}}));
}

// What is found holds, in range; and where one size alone makes all hold, something is found.
TEST(AdmittedPoint, AgreesWithAllPairs) {
  std::mt19937 random(5);
  const auto number = [&](int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
  };
  const Symbol x = size("x", kMost), y = size("y", kMost);
  const Index xs = Index::symbol(x), ys = Index::symbol(y);
  int found_ones = 0, expected_ones = 0;
  for (int n = 0; n < 3000; ++n) {
    std::vector<Check> checks;
    for (int64_t k = number(1, 3); k > 0; --k) {
      const Index of = xs * number(0, 3) + ys * number(-2, 3) + xs * ys * number(0, 1);
      const int64_t period = number(2, 7), rest = number(0, period - 1);
      checks.push_back({{{mod(of, period), rest, rest + 1}}, "rule", {}});
    }
    const SizePoint from = {{"x", number(1, kMost)}, {"y", number(1, kMost)}};
    const std::vector<Check> own =
        checks_of_sizes(checks, {x, y});  // those of no size are left out
    const auto all_hold = [&](const SizePoint& point) {
      return std::all_of(own.begin(), own.end(),
                         [&](const Check& check) { return holds_at(check, point); });
    };
    int64_t work = 100'000;
    const auto found = admitted_point(own, {x, y}, from, work);
    if (found) {
      ++found_ones;
      EXPECT_TRUE(all_hold(*found));
      for (const auto& [name, at] : *found) EXPECT_TRUE(at >= 1 && at <= kMost) << name;
    }
    const bool tied = std::all_of(own.begin(), own.end(), [](const Check& check) {
      std::vector<Symbol> symbols;
      check.guard[0].index.collect_symbols(symbols);
      return symbols.size() == 2;
    });
    bool alone = false;
    for (int64_t at = 1; at <= kMost; ++at)
      alone = alone || all_hold({{"x", at}, {"y", from.at("y")}}) ||
              all_hold({{"x", from.at("x")}, {"y", at}});
    if (!tied || !alone) continue;
    ++expected_ones;
    EXPECT_TRUE(found.has_value()) << n;
  }
  EXPECT_GT(found_ones, 1000);
  EXPECT_GT(expected_ones, 200);
}

}  // namespace
}  // namespace burin::admitted_point_test
