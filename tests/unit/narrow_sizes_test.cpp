// Ranges of sizes against enumerations: what the checks admit is never outside of what is left.
#include "lower/narrow_sizes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace burin::narrow_sizes_test {
namespace {

Symbol size(const std::string& name, int64_t min, int64_t max, int64_t hint = 0) {
  return std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, min, max, hint});
}

Check at_least_0(const Index& index, const std::string& what = "rule") {
  return Check{{{index, 0, kUnbounded}}, what, {{"node", "Op"}}};
}

Check equal(const Index& a, const Index& b) {
  return Check{{{a - b, 0, 1}}, "equal", {{"node", "Op"}}};
}

// "a 1..2 b 3" and hints as "@7", in order of names; what is as it was is not there.
std::string text(const NarrowedSizes& narrowed) {
  std::string out;
  for (const Substitution& one : narrowed.sizes) {
    out += (out.empty() ? "" : " ") + one.symbol->name + " ";
    if (one.value.is_constant()) {
      out += std::to_string(one.value.constant());
      continue;
    }
    const SymbolInfo& info = *one.value.as_symbol();
    EXPECT_EQ(info.name, one.symbol->name);
    out +=
        std::to_string(info.min) + ".." + (info.max == kUnbounded ? "" : std::to_string(info.max));
    if (info.hint != 0) out += "@" + std::to_string(info.hint);
  }
  return out;
}

std::string refusal(const std::vector<Check>& checks, const std::vector<Symbol>& params) {
  try {
    narrowed_sizes(checks, params);
  } catch (const Refused& refused) {
    return to_line(refused.diagnostics.at(0));
  }
  return "none";
}

const Symbol kX = size("x", 1, kUnbounded), kY = size("y", 1, kUnbounded);
const Index kXs = Index::symbol(kX), kYs = Index::symbol(kY);

TEST(NarrowSizes, OneSizeThatAConditionIsLinearIn) {
  EXPECT_EQ(text(narrowed_sizes({at_least_0(5 - kXs * 2)}, {kX})), "x 1..2");
  EXPECT_EQ(text(narrowed_sizes({at_least_0(kXs * 3 - 7)}, {kX})), "x 3..");
  EXPECT_EQ(text(narrowed_sizes({at_least_0(kXs * 3 - 7), at_least_0(20 - kXs)}, {kX})), "x 3..20");
  EXPECT_EQ(text(narrowed_sizes({Check{{{kXs * 2, 5, 11}}, "rule", {}}}, {kX})), "x 3..5");
  // What holds anyway.
  EXPECT_EQ(text(narrowed_sizes({at_least_0(kXs - 1)}, {kX})), "");
}

TEST(NarrowSizes, SizesThatBoundEachOther) {
  const Symbol z = size("z", 4, 9);
  EXPECT_EQ(text(narrowed_sizes({at_least_0(Index::symbol(z) - kXs)}, {kX, z})), "x 1..9");
  EXPECT_EQ(text(narrowed_sizes({at_least_0(10 - kXs - kYs)}, {kX, kY})), "x 1..9@5 y 1..9@5");
  // With one at its least the other may be as it is.
  EXPECT_EQ(text(narrowed_sizes({equal(kXs * kYs, kYs)}, {kX, kY})), "x 1..@1");
  // A range that another check has left.
  EXPECT_EQ(text(narrowed_sizes({at_least_0(kYs - kXs * 4), at_least_0(10 - kYs)}, {kX, kY})),
            "x 1..2 y 4..10");
  // Each says less of the other for ever: sweeps end.
  EXPECT_NE(text(narrowed_sizes({at_least_0(kXs - kYs * 2), at_least_0(kYs - kXs)}, {kX, kY})), "");
}

TEST(NarrowSizes, AnyConditionOfOneSizeAtItsEnds) {
  EXPECT_EQ(text(narrowed_sizes({equal(mod(kXs, 7), 0)}, {kX})), "x 7..@63");
  const Symbol z = size("z", 1, 60);
  EXPECT_EQ(text(narrowed_sizes({equal(mod(Index::symbol(z), 8), 0)}, {z})), "z 8..56");
  EXPECT_EQ(text(narrowed_sizes({at_least_0(floordiv(kXs - 3, 4) - 2)}, {kX})), "x 11..");
  EXPECT_EQ(text(narrowed_sizes({equal(Index::symbol(z) * Index::symbol(z), 49)}, {z})), "z 7");
}

// From some size on nothing is admitted: an open range ends there, however far it would go.
TEST(NarrowSizes, EndsOfOpenRanges) {
  const auto one_or = [](const Index& of, int64_t other) {
    return equal(min(1, of - 1) * min(1, max(of - other, Index(other) - of)), 0);
  };
  EXPECT_EQ(text(narrowed_sizes({one_or(kXs, 8)}, {kX})), "x 1..8");
  EXPECT_EQ(text(narrowed_sizes({one_or(kXs, 5000)}, {kX})), "x 1..5000@1");
  EXPECT_EQ(text(narrowed_sizes({equal(kXs - min(32, kXs), 0)}, {kX})), "x 1..32");
  EXPECT_EQ(text(narrowed_sizes({equal(mod(kXs, 4), 0)}, {kX})), "x 4..");
}

// Coprime periods, one after the other; sizes that no common share of their way makes fit.
TEST(NarrowSizes, HintsThatSeveralPeriodsAdmit) {
  const auto multiple = [](const Index& of, int64_t by) { return equal(mod(of, by), 0); };
  EXPECT_EQ(text(narrowed_sizes({multiple(kXs, 7), multiple(kXs, 11), multiple(kXs, 13)}, {kX})),
            "x 221..@1001");
  EXPECT_EQ(text(narrowed_sizes({multiple(kXs * kYs, 48)}, {kX, kY})), "x 1..@60 y 1..@60");
  EXPECT_EQ(text(narrowed_sizes({multiple(kXs, 19), multiple(kXs + kYs, 17)}, {kX, kY})),
            "x 19..@38");
  // An end that is where numbers end is none.
  EXPECT_EQ(text(narrowed_sizes({at_least_0((int64_t{1} << 61) - kXs)}, {kX})), "");
}

TEST(NarrowSizes, OneThatIsLeftIsTold) {
  const NarrowedSizes narrowed = narrowed_sizes({at_least_0(3 - kXs * 2)}, {kX});
  EXPECT_EQ(text(narrowed), "x 1");
  ASSERT_EQ(narrowed.notes.size(), 1u);
  EXPECT_EQ(to_warning(narrowed.notes[0]),
            "node 'node' (Op): warning: size 'x' is open, and can only be 1 (rule) "
            "[shape-mismatch]; --dim 'x=1' "
            "says so");
}

TEST(NarrowSizes, NothingLeftIsOneRefusal) {
  EXPECT_EQ(refusal({at_least_0(0 - kXs, "an extent")}, {kX}),
            "node 'node' (Op): error: no size of dimension 'x' from 1 on is one that the model "
            "takes (an extent) [shape-mismatch]");
  EXPECT_EQ(refusal({at_least_0(4 - kXs), at_least_0(kXs - 6, "second")}, {size("x", 1, 8)}),
            "node 'node' (Op): error: no size of dimension 'x' from 1 to 8 is one that the model "
            "takes (second) [shape-mismatch]");
  EXPECT_EQ(refusal({at_least_0(4 - kXs)}, {size("x", 1, 9, 7)}),
            "node 'node' (Op): error: dimension 'x' cannot be 7, the size to optimise for (rule) "
            "[shape-mismatch]; give --dim 'x=1..9@4'");
}

TEST(NarrowSizes, WhatIsNotAboutSizesIsPassedOver) {
  const Symbol other =
      std::make_shared<const SymbolInfo>(SymbolInfo{"found", SymbolOrigin::run, 0, kUnbounded, 0});
  EXPECT_EQ(text(narrowed_sizes({at_least_0(5 - kXs - Index::symbol(other))}, {kX})), "");
  EXPECT_EQ(text(narrowed_sizes({at_least_0(floordiv(8, kXs - 4))}, {kX})), "");
  // Numbers at the ends of 64 bits.
  const int64_t far = int64_t{1} << 62;
  EXPECT_EQ(text(narrowed_sizes({at_least_0(kXs + kYs - far)}, {kX, kY})), "");
  EXPECT_EQ(text(narrowed_sizes({Check{{{kXs, 1, far}}, "rule", {}}}, {kX})), "");
}

// Random conditions over two sizes of 1..12: no admitted pair is lost, nothing that is left at the
// ends of one size alone is refused, and what is refused altogether admits nothing.
TEST(NarrowSizes, AgreeWithAllPairs) {
  std::mt19937 random(7);
  const auto number = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  int narrowed_ones = 0, refused_ones = 0;
  for (int n = 0; n < 2000; ++n) {
    const Symbol x = size("x", 1, 12), y = size("y", 1, 12);
    const Index xs = Index::symbol(x), ys = Index::symbol(y);
    std::vector<Check> checks;
    for (int k = number(1, 3); k > 0; --k) {
      Index index = xs * number(-3, 3) + number(-20, 20);
      if (number(0, 2) == 0) index += ys * number(-3, 3);
      if (number(0, 3) == 0) index += floordiv(xs, number(2, 4)) * number(-2, 2);
      if (number(0, 4) == 0) index += xs * ys * number(-1, 1);
      checks.push_back(number(0, 3) == 0 ? equal(mod(index, number(2, 5)), 0) : at_least_0(index));
    }
    std::map<std::string, Range> hull;
    for (int64_t a = 1; a <= 12; ++a) {
      for (int64_t b = 1; b <= 12; ++b) {
        const auto at = [&](const Index& index) {
          return index.evaluate(
              [&](const Index& leaf) { return leaf.as_symbol()->name == "x" ? a : b; });
        };
        bool admitted = true;
        for (const Check& check : checks) {
          const Condition& one = check.guard[0];
          admitted = admitted && at(one.index) >= at(one.lo) && at(one.index) < at(one.hi);
        }
        if (!admitted) continue;
        const auto include = [&](const char* name, int64_t value) {
          Range& range = hull.insert({name, {value, value}}).first->second;
          range = {std::min(range.lo, value), std::max(range.hi, value)};
        };
        include("x", a);
        include("y", b);
      }
    }
    std::map<std::string, Range> left = {{"x", {1, 12}}, {"y", {1, 12}}};
    try {
      for (const Substitution& one : narrowed_sizes(checks, {x, y}).sizes)
        left[one.symbol->name] = one.value.range();
    } catch (const Refused&) {
      EXPECT_TRUE(hull.empty());
      ++refused_ones;
      continue;
    }
    for (const auto& [name, range] : hull) {
      EXPECT_LE(left[name].lo, range.lo);
      EXPECT_GE(left[name].hi, range.hi);
    }
    narrowed_ones += left["x"] != Range{1, 12};
  }
  EXPECT_GT(narrowed_ones, 500);
  EXPECT_GT(refused_ones, 100);
}

}  // namespace
}  // namespace burin::narrow_sizes_test
