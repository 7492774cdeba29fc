// Sets of positions beside a bit for each position.
#include "plan/packing/position_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace burin::position_set_test {
namespace {

using Bits = std::vector<bool>;

void expect_same(const PositionSet& set, const Bits& bits) {
  Bits found(bits.size());
  size_t last = 0;
  set.for_each([&](size_t position) {
    EXPECT_TRUE(position >= last);
    last = position + 1;
    found[position] = true;
  });
  EXPECT_EQ(found, bits);
  for (size_t p = 0; p < bits.size(); ++p) EXPECT_EQ(set[p], bits[p]) << p;
  const auto first = std::find(bits.begin(), bits.end(), true);
  EXPECT_EQ(set.first(), static_cast<size_t>(first - bits.begin()));
  EXPECT_EQ(set.empty(), first == bits.end());
  // Ranges that touch are one.
  for (size_t i = 1; i < set.ranges().size(); ++i)
    EXPECT_LT(set.ranges()[i - 1].end, set.ranges()[i].first);
}

class Drawn {
 public:
  explicit Drawn(unsigned seed) : numbers_(seed) {}

  size_t below(size_t end) { return numbers_() % end; }

  // A few ranges in and out.
  std::pair<PositionSet, Bits> set(size_t positions) {
    std::pair<PositionSet, Bits> out{PositionSet(positions), Bits(positions)};
    for (size_t n = below(6); n > 0; --n) change(out.first, out.second);
    return out;
  }

  void change(PositionSet& set, Bits& bits) {
    const size_t first = below(bits.size() + 1), end = below(bits.size() + 1);
    const bool in = below(3) != 0;
    set.set(first, end, in);
    for (size_t p = first; p < end; ++p) bits[p] = in;
  }

 private:
  std::mt19937 numbers_;
};

TEST(PositionSet, IsTheSameAsABitForEachPosition) {
  Drawn drawn(1);
  for (int round = 0; round < 2000; ++round) {
    const size_t positions = 1 + drawn.below(20);
    auto [a, a_bits] = drawn.set(positions);
    const auto [b, b_bits] = drawn.set(positions);
    expect_same(a, a_bits);
    bool meets = false;
    for (size_t p = 0; p < positions; ++p) meets = meets || (a_bits[p] && b_bits[p]);
    EXPECT_EQ(a.meets(b), meets);
    EXPECT_EQ(b.meets(a), meets);
    const bool both = round % 2 == 0;
    if (both) {
      a &= b;
    } else {
      a |= b;
    }
    for (size_t p = 0; p < positions; ++p)
      a_bits[p] = both ? a_bits[p] && b_bits[p] : a_bits[p] || b_bits[p];
    expect_same(a, a_bits);
    drawn.change(a, a_bits);
    expect_same(a, a_bits);
  }
}

TEST(PositionSet, IsAllOrNone) {
  expect_same(PositionSet(7, true), Bits(7, true));
  expect_same(PositionSet(7), Bits(7));
  expect_same(PositionSet(0, true), {});
}

}  // namespace
}  // namespace burin::position_set_test
