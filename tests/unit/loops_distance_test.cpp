// Bounds of distances: for drawn places, no point of their variables lies farther apart; and what
// the last blocks of parts need is found exactly.
#include <gtest/gtest.h>

#include "loops/verify/distance.h"
#include "support/numbers.h"

namespace burin::loops_distance_test {
namespace {

constexpr int kVars = 3;
constexpr int64_t kExtents[kVars] = {3, 4, 5};

class DrawnPlace {
 public:
  explicit DrawnPlace(uint64_t seed) : numbers_(seed) {}
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  // Sums, extrema and quotients of variables and numbers.
  Index draw(int deep) {
    if (deep == 0 || below(5) == 0) {
      if (below(3) == 0) return Index(below(9) - 2);
      const int var = static_cast<int>(below(kVars));
      return Index::axis(var, kExtents[var]);
    }
    const Index a = draw(deep - 1), b = draw(deep - 1);
    switch (below(6)) {
      case 0:
        return min(a, b);
      case 1:
        return max(a, b);
      case 2: {
        const int64_t by = 2 + below(3);
        return floordiv(a, by) * by + b;
      }
      case 3:
        return a - b;
      default:
        return a * (1 + below(4)) + b;
    }
  }

 private:
  Numbers numbers_;
};

int64_t greatest_of(const Index& index) {
  int64_t greatest = std::numeric_limits<int64_t>::min();
  for (int64_t i = 0; i < kExtents[0]; ++i) {
    for (int64_t j = 0; j < kExtents[1]; ++j) {
      for (int64_t k = 0; k < kExtents[2]; ++k) {
        const int64_t at[] = {i, j, k};
        greatest = std::max(greatest,
                            index.evaluate([&](const Index& leaf) { return at[leaf.axis_id()]; }));
      }
    }
  }
  return greatest;
}

TEST(LoopsDistance, NoPointsAreFartherApart) {
  int found = 0, exact = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    DrawnPlace drawn(seed);
    const Index begin = drawn.draw(2), end = drawn.draw(3);
    const std::optional<Dim> bound = loops::greatest_distance(begin, end);
    if (!bound) continue;
    ASSERT_TRUE(bound->is_constant()) << seed;
    const int64_t farthest = greatest_of(end - begin);
    ASSERT_GE(bound->constant(), farthest) << seed;
    ++found;
    exact += bound->constant() == farthest;
  }
  EXPECT_GT(found, 3500);
  EXPECT_GT(exact, 2500);
}

// Parts of 80 of 784 places, in whole vectors of 16 and what is left.
TEST(LoopsDistance, BlocksOfAPartEndInIt) {
  const Index part = Index::axis(0, 10) * 80, end = min(784, part + 80);
  const Index whole = part + floordiv(max(0, end - part), 16) * 16;
  EXPECT_EQ(loops::greatest_distance(part, end), Dim(80));
  EXPECT_EQ(loops::greatest_distance(part, whole), Dim(80));
  EXPECT_EQ(loops::greatest_distance(whole, end), Dim(80)) << "they share no variable there";
}

}  // namespace
}  // namespace burin::loops_distance_test
