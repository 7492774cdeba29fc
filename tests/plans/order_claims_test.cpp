// What a search says of the order that it chose for sizes that are symbols, held against all orders
// at many sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "plan/order/order_search.h"
#include "plans/support/all_orders.h"
#include "plans/support/random_graph.h"

namespace burin::order_claims_test {
namespace {

using test::given_order;
using test::least_peaks;
using test::Numbers;

constexpr int64_t kPoints[] = {20, 1, 500};  // that the search is given, the hint first
constexpr int64_t kSizes[] = {1, 2, 3, 7, 20, 60, 111, 333, 500};

// Bytes of every value are a line over n.
struct Instance {
  OrderProblem problem;
  std::vector<std::pair<int64_t, int64_t>> lines;  // start, slope

  // The same problem at one size.
  OrderProblem at(int64_t n) const {
    OrderProblem out = problem;
    out.extra.resize(1);
    out.sizes.assign(1, {});
    for (const auto& [start, slope] : lines) out.sizes[0].push_back(start + slope * n);
    return out;
  }
};

Instance instance_of(std::vector<std::pair<int64_t, int64_t>> lines,
                     std::vector<std::vector<int>> operands) {
  Instance out;
  const Dim n = Index::symbol(test::param("n", 1, 500, 20));
  OrderProblem& problem = out.problem;
  problem.nodes = static_cast<int>(lines.size());
  problem.classes.assign(lines.size(), PartClass::mixed);
  problem.cuts.assign(lines.size(), false);
  for (const auto& [start, slope] : lines) problem.bytes.push_back(n * slope + start);
  for (const int64_t point : kPoints) {
    problem.extra.emplace_back(lines.size(), 0);
    problem.sizes.emplace_back();
    for (const auto& [start, slope] : lines) problem.sizes.back().push_back(start + slope * point);
  }
  problem.after = operands;
  for (size_t node = 0; node < operands.size(); ++node)
    operands[node].push_back(static_cast<int>(node));  // its result has its number
  problem.touches = std::move(operands);
  out.lines = std::move(lines);
  return out;
}

const OrderedPart& only_searched(const OrderSolution& solution) {
  const OrderedPart* found = nullptr;
  for (const OrderedPart& part : solution.parts) {
    if (part.method == "as given") continue;
    EXPECT_EQ(found, nullptr);
    found = &part;
  }
  EXPECT_NE(found, nullptr);
  return *found;
}

// Two branches that are wide inside and end small.
Instance two_branches(std::pair<int64_t, int64_t> a, std::pair<int64_t, int64_t> b) {
  return instance_of({a, b, {1, 0}, {1, 0}, {1, 0}}, {{}, {}, {0}, {1}, {2, 3}});
}

TEST(OrderClaims, WhichBranchIsFirstDependsOnTheSize) {
  const Instance instance = two_branches({100, 0}, {0, 1});
  const OrderSolution solution = search_order(instance.problem, {});
  EXPECT_EQ(only_searched(solution).method, "exhaustive, compared at 3 points");
}

TEST(OrderClaims, WhatANodeNeedsIsTheLeastAtAllSizes) {
  const Instance instance = two_branches({0, 1}, {0, 2});
  const OrderSolution solution = search_order(instance.problem, {});
  EXPECT_EQ(only_searched(solution).method, "exhaustive, least at all sizes");
  for (const int64_t n : kSizes)
    EXPECT_EQ(peak_of(instance.at(n), solution.order), least_peaks(instance.at(n))[0]) << n;
}

// No proof is tried of so many; the only order that was found is no proof either.
TEST(OrderClaims, ManyNodesAreJudgedAtPoints) {
  std::vector<std::pair<int64_t, int64_t>> lines = {{0, 1}};
  std::vector<std::vector<int>> operands = {{}};
  for (int chain = 0; chain < 2; ++chain) {
    for (int i = 0; i < 40; ++i) {
      lines.emplace_back(0, 1);
      operands.push_back({i == 0 ? 0 : static_cast<int>(lines.size()) - 2});
    }
  }
  lines.emplace_back(0, 1);
  operands.push_back({40, 80});
  const Instance instance = instance_of(lines, operands);
  const OrderSolution solution = search_order(instance.problem, {});
  bool met = false;
  for (const OrderedPart& part : solution.parts) {
    EXPECT_EQ(part.method.find("least"), std::string::npos) << part.method;
    met = met || part.nodes > 64;
  }
  EXPECT_TRUE(met);
}

TEST(OrderClaims, NothingIsOptimalThatWasNotSearched) {
  const Instance instance = two_branches({100, 0}, {0, 1});
  const OrderSolution solution = search_order(instance.problem, {.search = false});
  EXPECT_EQ(solution.order, given_order(instance.problem));
  EXPECT_FALSE(solution.optimal);
}

TEST(OrderClaims, HoldOfRandomProblems) {
  Numbers numbers(11);
  std::map<std::string, int> met;
  for (int i = 0; i < 400; ++i) {
    const auto nodes = static_cast<int>(numbers.between(4, 7));
    std::vector<std::pair<int64_t, int64_t>> lines;
    std::vector<std::vector<int>> operands;
    for (int node = 0; node < nodes; ++node) {
      lines.emplace_back(numbers.between(1, 60), numbers.one_in(2) ? numbers.between(0, 3) : 0);
      operands.emplace_back();
      for (int64_t k = numbers.between(0, 2); k > 0 && node > 0; --k)
        operands.back().push_back(static_cast<int>(numbers.between(0, node - 1)));
      std::sort(operands.back().begin(), operands.back().end());
      operands.back().erase(std::unique(operands.back().begin(), operands.back().end()),
                            operands.back().end());
    }
    const Instance instance = instance_of(lines, operands);
    const OrderSolution solution = search_order(instance.problem, {});
    bool all_least = true, none_above = true;
    for (const OrderedPart& part : solution.parts) {
      const std::string claim = part.method.substr(std::min(part.method.size(), size_t{10}));
      ++met[claim.substr(0, 12)];
      if (part.method == "as given") continue;
      all_least = all_least && claim == ", least at all sizes";
      none_above = none_above && claim.find("points") == std::string::npos;
    }
    const bool one_part = solution.parts.size() == 1;
    for (const int64_t n : kSizes) {
      const OrderProblem at = instance.at(n);
      const int64_t peak = peak_of(at, solution.order);
      if (one_part && all_least) {
        ASSERT_EQ(peak, least_peaks(at)[0]) << i << " at " << n;
      }
      if (one_part && none_above) {
        ASSERT_LE(peak, peak_of(at, given_order(at))) << i << " at " << n;
      }
    }
    if (solution.optimal) {
      ASSERT_EQ(solution.peaks[0], least_peaks(instance.at(kPoints[0]))[0]) << i;
    }
  }
  EXPECT_GT(met[", least at a"], 50);
  EXPECT_GT(met[", compared a"], 5);
}

}  // namespace
}  // namespace burin::order_claims_test
