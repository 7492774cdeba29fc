// Slice: every way in which its bounds can be known.
#include <gtest/gtest.h>

#include <limits>

#include "ops/support/node_runner.h"

namespace burin::slice_test {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

struct SliceCase {
  int64_t start, end, step;
  std::vector<double> expected;  // of 0 1 2 3 4 5
};

std::vector<SliceCase> slice_cases() {
  return {{1, 4, 1, {1, 2, 3}},
          {-2, kEnd, 1, {4, 5}},
          {0, -1, 2, {0, 2, 4}},
          {-100, 100, 4, {0, 4}},
          {4, 1, -1, {4, 3, 2}},
          {kEnd, -kEnd, -2, {5, 3, 1}},
          {-1, -100, -3, {5, 2}},
          {3, 3, 1, {}},
          {5, 2, 1, {}},
          {100, -100, -5, {5, 0}},
          {2, 100, 1, {2, 3, 4, 5}}};
}

TEST(Slice, BoundsAsConstantsRunTimeValuesAndWithSymbolicExtents) {
  for (const SliceCase& one : slice_cases()) {
    for (const auto bound : {fixed, given}) {
      for (const auto data : {given, sized}) {
        const NodeTest test{"Slice",
                            13,
                            {data(counting({6})), bound(ints({one.start})), bound(ints({one.end})),
                             fixed(ints({0})), fixed(ints({one.step}))}};
        EXPECT_EQ(numbers_of(run(test)[0]), one.expected)
            << one.start << " " << one.end << " " << one.step;
      }
    }
  }
}

TEST(Slice, AttributesUntilOpset9) {
  const NodeTest test{"Slice",
                      9,
                      {given(counting({2, 3}))},
                      {{"starts", std::vector<int64_t>{-2}},
                       {"ends", std::vector<int64_t>{100}},
                       {"axes", std::vector<int64_t>{1}}}};
  EXPECT_EQ(numbers_of(run(test)[0]), (std::vector<double>{1, 2, 4, 5}));
}

TEST(Slice, RefusesWhatMakesNoSense) {
  const auto rule = [](std::vector<int64_t> axes, std::vector<int64_t> steps) {
    return refusal({"Slice",
                    13,
                    {given(counting({4, 4})), fixed(ints({0})), fixed(ints({2})), fixed(ints(axes)),
                     fixed(ints(steps))}});
  };
  EXPECT_EQ(rule({0}, {0}), "bad-attribute");
  EXPECT_EQ(rule({2}, {1}), "bad-attribute");
  EXPECT_EQ(rule({-3}, {1}), "bad-attribute");
  EXPECT_EQ(rule({0, 1}, {1}), "bad-attribute");
  EXPECT_EQ(rule({1}, {1}), "");
}

}  // namespace
}  // namespace burin::slice_test
