// Accesses that are digits of axes, found again from the point that is read: by hand, and drawn at
// random over numbers and sizes, compared with an enumeration of all points.
#include "fuse/access/digits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace burin::digits_test {
namespace {

Dim size_named(const std::string& name, int64_t min = 0) {
  return Index::symbol(std::make_shared<const SymbolInfo>(
      SymbolInfo{name, SymbolOrigin::param, min, kUnbounded, 0}));
}

using Sizes = std::map<std::string, int64_t>;

int64_t value_of(const Index& index, const std::vector<int64_t>& axes, const Sizes& sizes) {
  return index.evaluate([&](const Index& leaf) {
    return leaf.kind() == IndexKind::symbol ? sizes.at(leaf.as_symbol()->name)
                                            : axes[static_cast<size_t>(leaf.axis_id())];
  });
}

// Every point of these extents.
template <class Body>
void each_point(const std::vector<int64_t>& extents, const Body& body) {
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  for (int64_t number = 0; number < count; ++number) {
    std::vector<int64_t> at(extents.size());
    int64_t rest = number;
    for (size_t d = extents.size(); d-- > 0;) {
      at[d] = rest % extents[d];
      rest /= extents[d];
    }
    body(at);
  }
}

// An access of axes to a tensor.
struct Reading {
  std::vector<Axis> axes;
  std::vector<Index> read;
  std::vector<Dim> shape;

  std::optional<std::vector<Index>> inverse() const {
    std::vector<Index> point;
    for (size_t d = 0; d < shape.size(); ++d)
      point.push_back(Index::axis(static_cast<int>(d), shape[d]));
    return from_digits(axes, read, shape, point);
  }

  std::vector<int64_t> extents(const std::vector<Dim>& dims, const Sizes& sizes) const {
    std::vector<int64_t> out;
    for (const Dim& dim : dims) out.push_back(value_of(dim, {}, sizes));
    return out;
  }

  // There and back at every point of the axes, and of the tensor.
  void expect_inverse(const std::vector<Index>& found, const Sizes& sizes) const {
    std::vector<Dim> own;
    for (const Axis& axis : axes) own.push_back(axis.extent);
    each_point(extents(own, sizes), [&](const std::vector<int64_t>& at) {
      std::vector<int64_t> point, back;
      for (const Index& index : read) point.push_back(value_of(index, at, sizes));
      for (const Index& index : found) back.push_back(value_of(index, point, sizes));
      EXPECT_EQ(back, at) << text();
    });
    each_point(extents(shape, sizes), [&](const std::vector<int64_t>& point) {
      std::vector<int64_t> at, back;
      for (const Index& index : found) at.push_back(value_of(index, point, sizes));
      for (const Index& index : read) back.push_back(value_of(index, at, sizes));
      EXPECT_EQ(back, point) << text();
    });
  }

  std::string text() const { return to_string(read) + " of " + to_string(shape); }
};

TEST(Digits, AreSeenInNumbers) {
  const Index i = Index::axis(0, 12), j = Index::axis(1, 6);
  EXPECT_EQ(digit_of(floordiv(i, 4)), (Digit{0, 0, 4, 3}));
  EXPECT_EQ(digit_of(mod(floordiv(i, 2), 3)), (Digit{0, 0, 2, 3}));
  EXPECT_EQ(digit_of(mod(i + 7, 12)), (Digit{0, 7, 1, 12}));
  EXPECT_EQ(digit_of(mod(i + 7, 4))->base, 4);
  EXPECT_FALSE(digit_of(floordiv(i, 5)).has_value());  // 5 does not divide 12
  EXPECT_FALSE(digit_of(mod(i + 7, 13)).has_value());
  EXPECT_FALSE(digit_of(i + j).has_value());
}

TEST(Digits, AreSeenInSizes) {
  const Dim n = size_named("n", 1), w = size_named("w", 1);
  const Index i = Index::axis(0, n * w * 3), j = Index::axis(1, n + 1);
  EXPECT_EQ(digit_of(floordiv(i, n)), (Digit{0, 0, n, w * 3}));
  EXPECT_EQ(digit_of(mod(floordiv(i, n), w)), (Digit{0, 0, n, w}));
  EXPECT_EQ(digit_of(mod(i + n, n * w * 3)), (Digit{0, n, 1, n * w * 3}));
  EXPECT_EQ(digit_of(mod(i + w, n)), (Digit{0, w, 1, n}));
  EXPECT_EQ(digit_of(j), (Digit{1, 0, 1, n + 1}));
  EXPECT_FALSE(digit_of(floordiv(i, 2)).has_value());      // 2 may divide n, or not
  EXPECT_FALSE(digit_of(floordiv(i, n + 1)).has_value());  // nor may n + 1
  EXPECT_FALSE(digit_of(mod(i, n * n)).has_value());
  EXPECT_FALSE(digit_of(mod(j + 1, n)).has_value());
  EXPECT_FALSE(digit_of(mod(i + j, n)).has_value());  // a shift that is no size
}

// Windows of 4 in a shifted axis of 12, beside another axis: every point of the tensor comes from
// one point of the axes, found again.
TEST(Digits, OfShiftedWindowsAreInverted) {
  const Index i = Index::axis(0, 12), j = Index::axis(1, 6), t = mod(i + 5, 12);
  const std::vector<Axis> axes = {{12, AxisKind::parallel, {}}, {6, AxisKind::parallel, {}}};
  const auto reading = [&](const Index& first, const Index& second) {
    return Reading{axes, {first, second}, {4, 18}};
  };
  const Reading windows = reading(mod(t, 4), floordiv(t, 4) * 6 + j);
  const auto inverse = windows.inverse();
  ASSERT_TRUE(inverse.has_value());
  windows.expect_inverse(*inverse, {});
  // A digit that is missing, twice there, or in the wrong place.
  EXPECT_FALSE(reading(mod(i, 4), floordiv(i, 6) * 6 + j).inverse().has_value());
  EXPECT_FALSE(reading(mod(i, 4), mod(i, 3) * 6 + j).inverse().has_value());
  EXPECT_FALSE(reading(mod(i, 4), floordiv(i, 4) + j * 4).inverse().has_value());
}

// Windows of w in rows of n windows, shifted by a size.
TEST(Digits, OfWindowsOfSizesAreInverted) {
  const Dim n = size_named("n", 1), w = size_named("w", 1), s = size_named("s");
  const std::vector<Axis> axes = {{n * w, AxisKind::parallel, {}}, {n + 1, AxisKind::parallel, {}}};
  const Index i = Index::axis(0, n * w), j = Index::axis(1, n + 1), t = mod(i + s, n * w);
  const auto reading = [&](const Index& first, const Index& second) {
    return Reading{axes, {first, second}, {w, n * (n + 1)}};
  };
  const Reading windows = reading(mod(t, w), floordiv(t, w) * (n + 1) + j);
  const auto inverse = windows.inverse();
  ASSERT_TRUE(inverse.has_value());
  for (int64_t a = 1; a <= 4; ++a) {
    for (int64_t b = 1; b <= 4; ++b) {
      for (int64_t c = 0; c <= 5; ++c)
        windows.expect_inverse(*inverse, {{"n", a}, {"w", b}, {"s", c}});
    }
  }
  EXPECT_FALSE(reading(mod(t, w), floordiv(t, w) * n + j).inverse().has_value());
  EXPECT_FALSE(reading(mod(t, n), floordiv(t, w) * (n + 1) + j).inverse().has_value());
  EXPECT_FALSE(reading(mod(t, w), floordiv(i, w) * (n + 1) + j).inverse().has_value());
}

// Axes cut into digits, these shuffled and put together as dimensions.
class RandomReading {
 public:
  explicit RandomReading(uint32_t seed) : random_(seed) {}

  Reading draw(bool faulty) {
    std::vector<std::pair<Index, Dim>> digits;  // and their bases
    Reading out;
    for (int axis = 0, last = upto(1, 3); axis < last; ++axis) cut(axis, out, digits);
    std::shuffle(digits.begin(), digits.end(), random_);
    const size_t wrong = faulty ? random_() % digits.size() : digits.size();
    Index read = 0;
    Dim unit = 1;
    for (size_t k = 0; k < digits.size(); ++k) {
      read += digits[k].first * unit * (k == wrong ? factor() : Dim(1));
      unit *= digits[k].second;
      if (k + 1 < digits.size() && upto(0, 2) > 0) continue;
      out.read.push_back(std::exchange(read, 0));
      out.shape.push_back(std::exchange(unit, 1));
    }
    return out;
  }

  Sizes sizes() {
    Sizes out;
    for (const char* name : {"a", "b", "c"}) out[name] = upto(0, 3);
    return out;
  }

 private:
  int upto(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  Dim factor() {
    const std::vector<Dim> all = {
        2, 3, size_named("a"), size_named("b"), size_named("c"), size_named("a") + 1};
    return all[random_() % all.size()];
  }

  void cut(int number, Reading& out, std::vector<std::pair<Index, Dim>>& digits) {
    std::vector<Dim> factors;
    for (int k = 0, last = upto(1, 3); k < last; ++k) factors.push_back(factor());
    const Dim extent = product(factors);
    out.axes.push_back({extent, AxisKind::parallel, {}});
    Index axis = Index::axis(number, extent);
    if (upto(0, 3) == 0) axis = mod(axis + (upto(0, 1) == 0 ? Dim(1) : factor()), extent);
    for (size_t k = 0; k < factors.size(); ++k) {
      digits.emplace_back(k + 1 < factors.size() ? mod(axis, factors[k]) : axis, factors[k]);
      axis = floordiv(axis, factors[k]);
    }
  }

  std::mt19937 random_;
};

// Sizes of 0 too: nothing is there then, and nothing is divided by it.
TEST(Digits, DrawnAtRandomAreInverted) {
  int found = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    RandomReading random(static_cast<uint32_t>(round));
    const Reading reading = random.draw(false);
    const auto inverse = reading.inverse();
    if (!inverse) continue;
    ++found;
    for (int k = 0; k < 3; ++k) reading.expect_inverse(*inverse, random.sizes());
  }
  EXPECT_GT(found, kRounds * 9 / 10);
}

// What is found for an access with a wrong place is found because it is right after all.
TEST(Digits, InWrongPlacesAreRefusedOrRight) {
  int refused = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    RandomReading random(static_cast<uint32_t>(round));
    const Reading reading = random.draw(true);
    const auto inverse = reading.inverse();
    if (!inverse) {
      ++refused;
      continue;
    }
    for (int k = 0; k < 3; ++k) reading.expect_inverse(*inverse, random.sizes());
  }
  EXPECT_GT(refused, kRounds / 2);
}

}  // namespace
}  // namespace burin::digits_test
