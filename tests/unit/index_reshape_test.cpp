// SmartMem section 3.2.1: chains of reshapes and their strength reduction (Figure 3: identity,
// split, merge). What a chain does to an index must come back to axes without division wherever
// the factors align.
#include <gtest/gtest.h>

#include <random>

#include "unit/support/index_random.h"

namespace burin::index_reshape_test {
namespace {

Index merge(const std::vector<Index>& at, const std::vector<Dim>& shape) {
  Index linear = 0;
  for (size_t d = 0; d < at.size(); ++d) linear = linear * shape[d] + at[d];
  return linear;
}

std::vector<Index> split(Index linear, const std::vector<Dim>& shape) {
  std::vector<Index> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = d == 0 ? linear : mod(linear, shape[d]);
    linear = floordiv(linear, shape[d]);
  }
  return at;
}

std::vector<Index> axes_of_shape(const std::vector<Dim>& shape) {
  std::vector<Index> axes;
  for (const Dim& extent : shape)
    axes.push_back(Index::axis(static_cast<int>(axes.size()), extent));
  return axes;
}

// All shapes of `elements` with factors in random order.
std::vector<Dim> random_shape(int64_t elements, std::mt19937& random) {
  std::vector<Dim> shape;
  while (elements > 1) {
    std::vector<int64_t> divisors;
    for (int64_t d = 2; d <= elements; ++d) {
      if (elements % d == 0) divisors.push_back(d);
    }
    const int64_t factor = divisors[random() % divisors.size()];
    shape.push_back(factor);
    elements /= factor;
  }
  return shape;
}

Dim symbolic(const char* name, int64_t min = 1) {
  return Index::symbol(std::make_shared<const SymbolInfo>(
      SymbolInfo{name, SymbolOrigin::param, min, kUnbounded, 0}));
}

TEST(IndexReshape, ChainsOfReshapesComeBackToTheirAxes) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int64_t elements = std::vector<int64_t>{24, 36, 60, 64, 210}[random() % 5];
    const std::vector<Dim> first = random_shape(elements, random);
    const std::vector<Index> axes = axes_of_shape(first);
    std::vector<Index> at = axes;
    std::vector<Dim> shape = first;
    std::string chain = to_string(shape);
    for (int step = 0; step < 3; ++step) {
      const std::vector<Dim> next = random_shape(elements, random);
      at = split(merge(at, shape), next);
      shape = next;
      chain += " -> " + to_string(shape);
    }
    EXPECT_EQ(split(merge(at, shape), first), axes) << chain;
  }
}

TEST(IndexReshape, SymbolicDimensionsComeBackToo) {
  const Dim n = symbolic("N"), w = symbolic("W");
  const std::vector<std::vector<Dim>> shapes = {
      {n, 6, w}, {n * 6, w}, {n, 6 * w}, {n * 6 * w}, {n * 2, 3, w}, {n, 2, 3 * w}, {n * 3, 2 * w},
  };
  for (const std::vector<Dim>& a : shapes) {
    const std::vector<Index> axes = axes_of_shape(a);
    for (const std::vector<Dim>& b : shapes) {
      const std::vector<Index> there = split(merge(axes, a), b);
      EXPECT_EQ(split(merge(there, b), a), axes) << to_string(a) << " -> " << to_string(b);
    }
  }
}

TEST(IndexReshape, IdentitySplitAndMerge) {
  const Index i = Index::axis(0, 4), j = Index::axis(1, 6), f = Index::axis(2, 24);
  // Merge then split is the identity.
  EXPECT_EQ(floordiv(i * 6 + j, 6), i);
  EXPECT_EQ(mod(i * 6 + j, 6), j);
  // Split of an aligned factor: (4, 6) to (8, 3).
  EXPECT_EQ(to_string(split(i * 6 + j, {8, 3})), "[2*i0 + (i1 // 3), (i1 % 3)]");
  // Split then merge is the identity, also of the digits in the middle.
  EXPECT_EQ(floordiv(f, 6) * 6 + mod(f, 6), f);
  EXPECT_EQ(mod(floordiv(f, 2), 3) * 2 + mod(f, 2), mod(f, 6));
  EXPECT_EQ(floordiv(mod(f, 6), 2) * 2 + mod(f, 2), mod(f, 6));
}

TEST(IndexReshape, StrengthReduction) {
  const Index i = Index::axis(0, 100);
  EXPECT_EQ(mod(mod(i, 12), 4), mod(i, 4));
  EXPECT_FALSE(mod(mod(i, 12), 5) == mod(i, 5));
  EXPECT_EQ(floordiv(floordiv(i, 3), 4), floordiv(i, 12));
  EXPECT_EQ(floordiv(floordiv(i, 3) + 2, 4), floordiv(i + 6, 12));
  EXPECT_EQ(floordiv(mod(i, 12), 12), Index(0));
  EXPECT_EQ(mod(i + 200, 100), i);
  EXPECT_EQ(floordiv(i + 200, 100), Index(2));
  EXPECT_EQ(mod(i * 8, 4), Index(0));
  EXPECT_EQ(floordiv(i * 8 + 3, 4), i * 2);
  const Dim n = symbolic("N");
  const Index k = Index::axis(1, n);
  EXPECT_EQ(mod(i * n + k, n), k);
  EXPECT_EQ(floordiv(i * n + k, n), i);
  EXPECT_EQ(mod(i * n + k, n * 4), mod(i, 4) * n + k);
  EXPECT_EQ(floordiv(n * 6, n), Index(6));
  EXPECT_EQ(mod(k + n, n), k);
}

// Pixel shuffle and its inverse: reshape, transpose, reshape; no division is left inside.
// Scores by relative position [T, 2T - 1], a column in front, seen as [2T, T] without the first row,
// seen as [T, 2T - 1] again: row i has moved left by i.
TEST(IndexReshape, RelativePositions) {
  for (const Dim& t : {Dim(3), Dim(8), Dim(699), symbolic("T", 2)}) {
    const std::vector<Index> axes = axes_of_shape({t, t});
    std::vector<Index> at = split(merge(axes, {t, t * 2 - 1}), {t * 2 - 1, t});
    at[0] += 1;
    at = split(merge(at, {t * 2, t}), {t, t * 2});
    EXPECT_EQ(at[0], axes[0]) << to_string(t);
    EXPECT_EQ(at[1], axes[1] - axes[0] + t) << to_string(t);
  }
}

TEST(IndexReshape, SpaceToDepthAndBack) {
  const Dim h = symbolic("H"), w = symbolic("W");
  // y[c, i, j] = x[c * 4 + (i % 2) * 2 + j % 2, i // 2, j // 2]
  const Index c = Index::axis(0, 3), i = Index::axis(1, h * 2), j = Index::axis(2, w * 2);
  const std::vector<Index> depth{c * 4 + mod(i, 2) * 2 + mod(j, 2), floordiv(i, 2), floordiv(j, 2)};
  // and back: x'[c, p, q] = y[c // 4, p * 2 + c // 2 % 2, q * 2 + c % 2]
  const std::vector<Index> back{floordiv(depth[0], 4), depth[1] * 2 + mod(floordiv(depth[0], 2), 2),
                                depth[2] * 2 + mod(depth[0], 2)};
  EXPECT_EQ(back, (std::vector<Index>{c, i, j}));
}

// The sizes of convolutions and of slices, as proofs need them.
TEST(IndexReshape, ProofsOfTypicalBounds) {
  const Dim n = symbolic("N"), m = symbolic("M", 0), h = symbolic("H", 3);
  EXPECT_TRUE(proven_nonnegative(n - 1));
  EXPECT_FALSE(proven_nonnegative(m - 1));
  EXPECT_TRUE(proven_lt(Index::axis(0, n), n));
  EXPECT_TRUE(proven_lt(Index::axis(0, n) * 4 + Index::axis(1, 4), n * 4));
  EXPECT_TRUE(proven_le(floordiv(n, 2), n));
  EXPECT_TRUE(proven_le(min(n, m), n));
  EXPECT_TRUE(proven_le(n, max(n, m)));
  EXPECT_TRUE(proven_ne(n, -1));
  EXPECT_TRUE(proven_ne(n + 1, n));
  // Last window of a convolution without padding lies inside: 2*o + k <= H - 1.
  const Dim out = floordiv(h - 3, 2) + 1;
  EXPECT_TRUE(proven_lt(Index::axis(0, out) * 2 + Index::axis(1, 3), h));
  EXPECT_FALSE(proven_lt(Index::axis(0, out) * 2 + Index::axis(1, 4), h));
  // Every second row of a plane that was halved four times is a row of it; every third may not be.
  const Dim rows = floordiv(h + 15, 16), second = floordiv(h + 31, 32);
  EXPECT_TRUE(proven_lt(Index::axis(0, second) * 2, rows));
  EXPECT_FALSE(proven_lt(Index::axis(0, second) * 3, rows));
  EXPECT_TRUE(proven_le(rows, second * 2));
  EXPECT_FALSE(proven_lt(rows, second * 2));
  EXPECT_TRUE(proven_le(h, ceildiv(h, n) * n));
  EXPECT_TRUE(proven_le(floordiv(h, n) * n, h));
  EXPECT_TRUE(proven_lt(mod(h, n), n));
  EXPECT_TRUE(proven_le(mod(h, n), h));
  EXPECT_TRUE(proven_le(max(min(m, h), 0) + 1, h + 1));
  // Windows of seven, rounded up as exporters spell it: a product of two negative quotients.
  const Dim windows = floordiv(-floordiv(h, 8), 7) * floordiv(-floordiv(n, 8), 7);
  const Index window = Index::axis(0, windows);
  EXPECT_EQ(min(window, windows - 1), window);
  EXPECT_FALSE(proven_le(window, windows - 2));
  // Beyond 64 bits nothing is claimed, and nothing is refused.
  EXPECT_TRUE(proven_le(n - 5, INT64_MAX));
  EXPECT_FALSE(proven_le(INT64_MAX, n - 5));
  EXPECT_EQ(min(m - 5, INT64_MAX), m - 5);
}

}  // namespace
}  // namespace burin::index_reshape_test
