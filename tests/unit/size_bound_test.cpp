// Bounds of dynamic sizes that are expressions over other sizes: held against every value that
// these allow.
#include "kernel/index/size_bound.h"

#include <gtest/gtest.h>

#include <map>

namespace burin::size_bound_test {
namespace {

Symbol symbol(const char* name, SymbolOrigin origin, int64_t max, const Dim* most = nullptr) {
  SymbolInfo info{name, origin, 0, max, 0};
  if (most) {
    info.max = most->range().hi;
    info.most = std::make_shared<const Dim>(*most);
  }
  return std::make_shared<const SymbolInfo>(std::move(info));
}

const Dim n = Index::symbol(symbol("n", SymbolOrigin::param, kUnbounded));
const Dim m = Index::symbol(symbol("m", SymbolOrigin::param, kUnbounded));
const Dim most_found = 3 * n;
const Dim found = Index::symbol(symbol("found", SymbolOrigin::run, 0, &most_found));
const Dim most_kept = min(found + 1, m);
const Dim kept = Index::symbol(symbol("kept", SymbolOrigin::run, 0, &most_kept));
const Dim open_size = Index::symbol(symbol("open", SymbolOrigin::run, kUnbounded));
const Dim most_grown = max(open_size + 1, open_size);
const Dim grown = Index::symbol(symbol("grown", SymbolOrigin::run, 0, &most_grown));

TEST(SizeBound, IsAnExpressionOverSizesOfTheCaller) {
  EXPECT_EQ(bound_before_run(found), std::optional(3 * n));
  EXPECT_EQ(bound_before_run(2 * found + n), std::optional(7 * n));
  EXPECT_EQ(bound_before_run(n - found), std::optional(n));
  EXPECT_EQ(bound_before_run(kept), std::optional(min(3 * n + 1, m)));
  EXPECT_EQ(bound_before_run(n * m), std::optional(n * m));
}

TEST(SizeBound, WhatHangsOnAnOpenSizeHasNone) {
  EXPECT_FALSE(is_bounded_before_run(open_size));
  EXPECT_FALSE(is_bounded_before_run(grown));
  EXPECT_FALSE(is_bounded_before_run(n * grown));
  const auto keep = [](const Symbol& one) { return one->name == "open"; };
  EXPECT_EQ(bound_over(grown, keep), std::optional(open_size + 1));
}

TEST(SizeBound, HoldsAtEveryValue) {
  const std::vector<Dim> sizes = {found,
                                  found * m,
                                  found + kept,
                                  max(found, kept) * 2,
                                  floordiv(found, 2) + mod(kept, 3),
                                  m * n - found,
                                  n + kept,
                                  min(found, 5) * kept,
                                  floordiv(20, max(1, found)) * found,
                                  found * max(1, min(kept, floordiv(20, max(1, 2 * found)) - 1)),
                                  floordiv(n + 3, found + 1) * kept};
  for (const Dim& size : sizes) {
    const std::optional<Dim> bound = bound_before_run(size);
    ASSERT_TRUE(bound.has_value()) << to_string(size);
    for (int64_t at_n = 0; at_n < 4; ++at_n) {
      for (int64_t at_m = 0; at_m < 6; ++at_m) {
        for (int64_t at_found = 0; at_found <= 3 * at_n; ++at_found) {
          for (int64_t at_kept = 0; at_kept <= std::min(at_found + 1, at_m); ++at_kept) {
            const std::map<std::string, int64_t> values = {
                {"n", at_n}, {"m", at_m}, {"found", at_found}, {"kept", at_kept}};
            const auto leaf = [&](const Index& one) { return values.at(one.as_symbol()->name); };
            ASSERT_LE(size.evaluate(leaf), bound->evaluate(leaf)) << to_string(size);
          }
        }
      }
    }
  }
}

// What is shared out by a size and put together again is no more than it was.
TEST(SizeBound, QuotientsTimesTheirDivisors) {
  const Dim two = max(1, found * kept);
  EXPECT_EQ(without_quotients(found * floordiv(64, max(1, found))), Dim(64));
  EXPECT_EQ(without_quotients(3 * n * found * kept * floordiv(n * m, two)), 3 * n * n * m);
  // Not all of the divisor: where the rest is 0, it is not less.
  EXPECT_EQ(without_quotients(found * floordiv(64, two)), found * floordiv(64, two));
  EXPECT_EQ(without_quotients(n - found * floordiv(64, max(1, found))),
            n - found * floordiv(64, max(1, found)));
  EXPECT_EQ(bound_before_run(found * floordiv(64, max(1, found)) * n), 64 * n);
}

TEST(SizeBound, TakesPartInProofs) {
  EXPECT_TRUE(proven_le(found, 3 * n));
  EXPECT_TRUE(proven_le(found * m, 3 * n * m));
  EXPECT_TRUE(proven_nonnegative(3 * n - found));
  EXPECT_FALSE(proven_le(found, 2 * n));
  EXPECT_FALSE(proven_le(3 * n, found));
  EXPECT_FALSE(proven_le(grown, n));
}

// Each of many sizes is bounded by all of those before it: 2^40 ways lead down to the first.
TEST(SizeBound, OfSizesThatAllBoundEachOther) {
  Dim sum = n, last = n;
  for (int k = 0; k < 40; ++k) {
    last = Index::symbol(
        symbol(("s" + std::to_string(k)).c_str(), SymbolOrigin::run, kUnbounded, &sum));
    sum += last;
  }
  EXPECT_EQ(bound_before_run(last), (int64_t{1} << 39) * n);
  EXPECT_EQ(at_hints(last), 64);
}

}  // namespace
}  // namespace burin::size_bound_test
