// Operators whose shape depends on values (dynamic sizes).
#include <gtest/gtest.h>

#include <limits>

#include "ops/support/node_runner.h"

namespace burin::shape_values_test {
namespace {

using Numbers = std::vector<double>;

TEST(Range, CountsAtRunTime) {
  for (const auto limit : {fixed, given}) {
    const auto values = [&](int64_t a, int64_t b, int64_t c) {
      return numbers_of(
          run({"Range", 11, {limit(scalar(a)), limit(scalar(b)), limit(scalar(c))}})[0]);
    };
    EXPECT_EQ(values(0, 7, 3), (Numbers{0, 3, 6}));
    EXPECT_EQ(values(0, 6, 3), (Numbers{0, 3}));
    EXPECT_EQ(values(5, -2, -3), (Numbers{5, 2, -1}));
    EXPECT_EQ(values(5, 8, -1), Numbers{});
  }
  for (const auto limit : {fixed, given}) {
    EXPECT_EQ(refusal({"Range", 11, {fixed(scalar(0)), limit(scalar(1)), fixed(scalar(0))}}),
              "bad-attribute");
    EXPECT_EQ(refusal({"Range",
                       11,
                       {fixed(floats({}, {0})), limit(floats({}, {1})), fixed(floats({}, {0}))}}),
              "bad-attribute");
  }
}

TEST(Expand, TileAndConstantOfShapeTakeRunTimeSizes) {
  for (const auto sizes : {fixed, given}) {
    const HostTensor expanded =
        run({"Expand", 13, {sized(counting({3, 1})), sizes(ints({2, 1, 2}))}})[0];
    EXPECT_EQ(expanded.shape, (std::vector<int64_t>{2, 3, 2}));
    EXPECT_EQ(numbers_of(expanded), (Numbers{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));

    const HostTensor tiled = run({"Tile", 13, {sized(counting({1, 3})), sizes(ints({2, 2}))}})[0];
    EXPECT_EQ(tiled.shape, (std::vector<int64_t>{2, 6}));
    EXPECT_EQ(numbers_of(tiled), (Numbers{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));

    const HostTensor filled = run({"ConstantOfShape", 9, {sizes(ints({2, 0, 3}))}})[0];
    EXPECT_EQ(filled.shape, (std::vector<int64_t>{2, 0, 3}));
  }
}

TEST(Expand, RunTimeSizeThatDoesNotBroadcastIsAStatus) {
  EXPECT_THROW(run({"Expand", 13, {sized(counting({3})), given(ints({2}))}}), std::runtime_error);
}

TEST(OneHot, DepthAtRunTimeAndIndicesOutside) {
  for (const auto depth : {fixed, given}) {
    const HostTensor y =
        run({"OneHot",
             11,
             {given(ints({1, -1, 3, -4})), depth(scalar(3)), given(floats({2}, {0, 9}))}})[0];
    EXPECT_EQ(y.shape, (std::vector<int64_t>{4, 3}));
    EXPECT_EQ(numbers_of(y), (Numbers{0, 9, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0}));
  }
}

TEST(Split, SizesAtRunTime) {
  for (const auto sizes : {fixed, given}) {
    const auto parts = run({"Split", 13, {sized(counting({6})), sizes(ints({1, 0, 5}))}, {}, 3});
    EXPECT_EQ(numbers_of(parts[0]), (Numbers{0}));
    EXPECT_EQ(numbers_of(parts[1]), Numbers{});
    EXPECT_EQ(numbers_of(parts[2]), (Numbers{1, 2, 3, 4, 5}));
  }
  EXPECT_EQ(refusal({"Split", 13, {given(counting({6})), fixed(ints({1, 2}))}, {}, 2}),
            "shape-mismatch");
  EXPECT_EQ(refusal({"Split", 13, {given(counting({6})), fixed(ints({7, -1}))}, {}, 2}),
            "shape-mismatch");
  EXPECT_EQ(refusal({"Split", 13, {given(counting({5}))}, {}, 2}), "shape-mismatch");
}

TEST(Trilu, DiagonalAtRunTimeAndFarOutside) {
  for (const auto diagonal : {fixed, given}) {
    const auto upper = [&](int64_t k) {
      return numbers_of(run({"Trilu", 14, {sized(counting({2, 3})), diagonal(scalar(k))}})[0]);
    };
    EXPECT_EQ(upper(0), (Numbers{0, 1, 2, 0, 4, 5}));
    EXPECT_EQ(upper(1), (Numbers{0, 1, 2, 0, 0, 5}));
    EXPECT_EQ(upper(std::numeric_limits<int64_t>::max()), (Numbers{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(upper(std::numeric_limits<int64_t>::min()), (Numbers{0, 1, 2, 3, 4, 5}));
  }
}

}  // namespace
}  // namespace burin::shape_values_test
