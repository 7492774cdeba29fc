// The Index algebra against direct evaluation at every point of small spaces: random expressions,
// proofs, ranges, bounds and text. A rule that is wrong for one value of one axis fails here.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/index/index_magnitude.h"
#include "kernel/index/index_node.h"
#include "kernel/index/index_text.h"
#include "unit/support/index_random.h"

namespace burin::index_property_test {
namespace {

Symbol symbol(std::string name, int64_t min, int64_t max) {
  return std::make_shared<const SymbolInfo>(
      SymbolInfo{std::move(name), SymbolOrigin::param, min, max, 0});
}

// Constant extents; symbols that may be zero, that start at 1, and that have a bound.
std::vector<IndexSpace> spaces() {
  const Symbol n = symbol("N", 1, kUnbounded), m = symbol("M", 0, kUnbounded),
               w = symbol("W", 2, 5);
  const Dim dn = Index::symbol(n), dm = Index::symbol(m), dw = Index::symbol(w);
  return {
      {{}, {4, 6}},       {{}, {2, 3, 5}},        {{n}, {dn, 4}},
      {{n, w}, {dn, dw}}, {{m, w}, {dm, dw * 2}}, {{n, m}, {dn + 1, dm}},
  };
}

constexpr int kRounds = 500;     // expressions per space
constexpr int64_t kLargest = 4;  // symbol values above their minimum

TEST(IndexProperty, EveryOperationIsWhatItSays) {
  uint32_t seed = 1;
  for (const IndexSpace& space : spaces()) {
    for (int round = 0; round < kRounds; ++round) {
      IndexGenerator generator(space, seed++);
      const Checked e = generator.expression(1 + round % 4);
      const Range range = e.index.range();
      const std::optional<Dim> upper = e.index.upper_bound(), lower = e.index.lower_bound();
      bool ok = true;
      space.each_point(kLargest, [&](const IndexPoint& point) {
        if (!ok) return;
        const int64_t expected = e.value(point), actual = space.evaluate(e.index, point);
        EXPECT_EQ(actual, expected) << (ok = false, to_string(e.index)) << " seed " << seed - 1;
        ok = ok && range.lo <= expected && expected <= range.hi;
        EXPECT_TRUE(ok) << to_string(e.index) << " range, seed " << seed - 1;
        if (upper && space.evaluate(*upper, point) < expected) ok = false;
        if (lower && space.evaluate(*lower, point) > expected) ok = false;
        EXPECT_TRUE(ok) << to_string(e.index) << " is not within its bounds, seed " << seed - 1;
      });
      if (!ok) return;
    }
  }
}

TEST(IndexProperty, ProofsAreNeverWrong) {
  uint32_t seed = 100000;
  int proven = 0;
  for (const IndexSpace& space : spaces()) {
    for (int round = 0; round < kRounds; ++round) {
      IndexGenerator generator(space, seed++);
      const Checked a = generator.expression(round % 3), b = generator.expression(round % 4);
      const bool le = proven_le(a.index, b.index), lt = proven_lt(a.index, b.index),
                 ne = proven_ne(a.index, b.index), same = a.index == b.index;
      if (!le && !lt && !ne && !same) continue;
      ++proven;
      bool ok = true;
      space.each_point(kLargest, [&](const IndexPoint& point) {
        const int64_t x = a.value(point), y = b.value(point);
        ok = ok && (!le || x <= y) && (!lt || x < y) && (!ne || x != y) && (!same || x == y);
      });
      EXPECT_TRUE(ok) << to_string(a.index)
                      << (le   ? " <= "
                          : lt ? " < "
                          : ne ? " != "
                               : " == ")
                      << to_string(b.index) << " seed " << seed - 1;
      if (!ok) return;
    }
  }
  EXPECT_GT(proven, 1000);  // the proofs are not vacuous
}

// What is refuted fails somewhere, and most of what fails is refuted. Only where every symbol is
// bounded: else the point may be beyond what is enumerated.
TEST(IndexProperty, RefutationsAreNeverWrong) {
  const Symbol w = symbol("W", 2, 5), m = symbol("M", 1, 3);
  const Dim dw = Index::symbol(w), dm = Index::symbol(m);
  const std::vector<IndexSpace> bounded = {
      {{}, {4, 6}}, {{}, {2, 3, 5}}, {{w}, {dw, 4}}, {{w, m}, {dw * 2, dm}}};
  uint32_t seed = 400000;
  int refuted = 0, failing = 0;
  for (const IndexSpace& space : bounded) {
    for (int round = 0; round < kRounds; ++round) {
      IndexGenerator generator(space, seed++);
      const Checked a = generator.expression(round % 3), b = generator.expression(round % 4);
      for (const int64_t slack : {0, 1}) {
        bool fails = false;
        space.each_point(kLargest, [&](const IndexPoint& point) {
          fails = fails || a.value(point) + slack > b.value(point);
        });
        const bool seen = refuted_le(a.index, b.index, slack);
        refuted += seen;
        failing += fails;
        ASSERT_TRUE(fails || !seen) << to_string(a.index) << " + " << slack
                                    << " <= " << to_string(b.index) << " seed " << seed - 1;
      }
    }
  }
  EXPECT_GT(refuted, failing * 9 / 10);
}

// Substituting axes and symbols is the same as evaluating at the substituted point.
// Nothing that is computed on the way to an index is larger than it is said to be.
TEST(IndexProperty, MagnitudesHoldAtEveryPoint) {
  const auto most = [](const Index& leaf) {
    const SymbolInfo& info = *leaf.as_symbol();
    return std::min(info.max, info.min + kLargest);
  };
  uint32_t seed = 700000;
  for (const IndexSpace& space : spaces()) {
    for (int round = 0; round < kRounds; ++round) {
      IndexGenerator generator(space, seed++);
      const Checked e = generator.expression(1 + round % 4);
      const int64_t part = largest_part(e.index, most);
      bool ok = true;
      space.each_point(kLargest, [&](const IndexPoint& point) {
        if (!ok) return;
        ok = std::abs(e.value(point)) <= part;
        EXPECT_TRUE(ok) << to_string(e.index) << " beyond " << part << ", seed " << seed - 1;
      });
      if (!ok) return;
    }
  }
  // Places that are cut off at numbers which stand for "to the end" are as large as what is there.
  const Index n = Index::symbol(symbol("N", 0, kUnbounded)),
              m = Index::symbol(symbol("M", 0, kUnbounded));
  const auto few = [](const Index&) { return int64_t{1} << 20; };
  const int64_t far = 1000000000;
  EXPECT_EQ(largest_part(4 * min(n, far) * min(m, far), few), int64_t{1} << 42);
  EXPECT_LE(largest_part(n * (min(m, far) - max(m - far, -1)), few), int64_t{1} << 42);
}

TEST(IndexProperty, SubstitutionIsEvaluation) {
  uint32_t seed = 200000;
  const IndexSpace space{{symbol("N", 1, kUnbounded)}, {6, 4}};
  const IndexSpace inner{{space.symbols[0]}, {2, 3, 2, 2}};
  for (int round = 0; round < 1000; ++round) {
    IndexGenerator generator(space, seed++);
    const Checked e = generator.expression(1 + round % 3);
    // i0 = 3a + b, i1 = 2c + d
    const Index a = Index::axis(0, 2), b = Index::axis(1, 3), c = Index::axis(2, 2),
                d = Index::axis(3, 2);
    const Index composed = e.index.substitute_axes({a * 3 + b, c * 2 + d});
    const Index doubled = e.index.substitute_symbol("N", Index::symbol(space.symbols[0]) * 2);
    bool ok = true;
    inner.each_point(3, [&](const IndexPoint& p) {
      const IndexPoint outer{{p.axes[0] * 3 + p.axes[1], p.axes[2] * 2 + p.axes[3]}, p.symbols};
      ok = ok && inner.evaluate(composed, p) == e.value(outer);
    });
    space.each_point(3, [&](const IndexPoint& p) {
      const IndexPoint twice{p.axes, {p.symbols[0] * 2}};
      ok = ok && space.evaluate(doubled, p) == e.value(twice);
    });
    EXPECT_TRUE(ok) << to_string(e.index) << " -> " << to_string(composed) << ", "
                    << to_string(doubled) << " seed " << seed - 1;
    if (!ok) return;
  }
}

TEST(IndexProperty, QuotientAndRemainderRecombine) {
  uint32_t seed = 300000;
  for (const IndexSpace& space : spaces()) {
    for (int round = 0; round < 400; ++round) {
      IndexGenerator generator(space, seed++);
      const Index x = generator.expression(round % 4).index;
      std::vector<Index> divisors{generator.number(1, 9)};
      for (const Symbol& s : space.symbols) {
        if (s->min > 0) divisors.push_back(Index::symbol(s) * generator.number(1, 3));
      }
      for (const Index& c : divisors) {
        EXPECT_EQ(floordiv(x, c) * c + mod(x, c), x)
            << to_string(x) << " by " << to_string(c) << ", seed " << seed - 1;
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// (6*j + i) // (6*h + 6*w) = j // (h + w): rows of a plane whose sizes the run knows.
TEST(IndexProperty, ANumberComesOutOfASum) {
  const Dim h = Index::symbol(symbol("H", 1, 9)), w = Index::symbol(symbol("W", 1, 9));
  const Index i = Index::axis(0, 6), j = Index::axis(1, 40), x = j * 6 + i, c = h * 6 + w * 6;
  EXPECT_EQ(floordiv(x, c), floordiv(j, h + w));
  EXPECT_EQ(mod(x, c), mod(j, h + w) * 6 + i);
  // What is left of i does not fit between two multiples.
  EXPECT_TRUE(floordiv(x + 1, c).uses_axis(0));
  const auto at = [&](const Index& index, int64_t value_i, int64_t value_j, int64_t size) {
    return index.evaluate([&](const Index& leaf) {
      if (leaf.kind() != IndexKind::axis) return size;
      return leaf.axis_id() == 0 ? value_i : value_j;
    });
  };
  for (int64_t size = 1; size < 4; ++size) {
    for (int64_t a = 0; a < 6; ++a) {
      for (int64_t b = 0; b < 40; ++b) {
        EXPECT_EQ(at(floordiv(x, c), a, b, size), (6 * b + a) / (12 * size));
        EXPECT_EQ(at(mod(x, c), a, b, size), (6 * b + a) % (12 * size));
        EXPECT_EQ(at(floordiv(x + 1, c), a, b, size), (6 * b + a + 1) / (12 * size));
      }
    }
  }
}

// Building the same value in another order gives the same thing.
TEST(IndexProperty, SumsAndProductsAreCanonical) {
  uint32_t seed = 400000;
  for (const IndexSpace& space : spaces()) {
    for (int round = 0; round < 500; ++round) {
      IndexGenerator generator(space, seed++);
      const Index a = generator.expression(2).index, b = generator.expression(2).index,
                  c = generator.expression(1).index;
      EXPECT_EQ(a + b, b + a);
      EXPECT_EQ((a + b) + c, a + (b + c))
          << to_string(a) << "; " << to_string(b) << "; " << to_string(c);
      EXPECT_EQ(a - a, Index(0));
      EXPECT_EQ(a * b, b * a);
      EXPECT_EQ(a * (b + c), a * b + a * c)
          << to_string(a) << "; " << to_string(b) << "; " << to_string(c);
      EXPECT_EQ(min(a, b), min(b, a));
      EXPECT_EQ(max(max(a, b), c), max(a, max(b, c)));
      EXPECT_EQ(a.map_leaves([](const Index& leaf) { return leaf; }), a) << to_string(a);
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "seed " << seed - 1;
        return;
      }
    }
  }
}

}  // namespace
}  // namespace burin::index_property_test
