// Dynamic values that no operator allows are a status, never a guess.
#include <gtest/gtest.h>

#include "lower/lower.h"
#include "ops/support/node_runner.h"

namespace burin::illegal_values_test {
namespace {

using Numbers = std::vector<double>;

// "stopped", or the first result.
Numbers result(const NodeTest& test) {
  try {
    return numbers_of(run(test)[0]);
  } catch (const std::runtime_error&) {
    return {-12345};
  }
}
const Numbers kStopped = {-12345};

Numbers shape_of_result(const NodeTest& test) {
  try {
    const std::vector<int64_t> shape = run(test)[0].shape;
    return {shape.begin(), shape.end()};
  } catch (const std::runtime_error&) {
    return kStopped;
  }
}

TEST(IllegalValues, Reshape) {
  const auto shape = [](std::vector<int64_t> wanted, int64_t allow_zero = 0) {
    return shape_of_result({"Reshape",
                            14,
                            {given(counting({2, 6})), given(ints(wanted))},
                            {{"allowzero", allow_zero}}});
  };
  EXPECT_EQ(shape({3, 4}), (Numbers{3, 4}));
  EXPECT_EQ(shape({-1, 4}), (Numbers{3, 4}));
  EXPECT_EQ(shape({0, -1}), (Numbers{2, 6}));
  EXPECT_EQ(shape({-2, 6}), kStopped);
  EXPECT_EQ(shape({-1, -1}), kStopped);
  EXPECT_EQ(shape({-1, 5}), kStopped);
  EXPECT_EQ(shape({3, 5}), kStopped);
  EXPECT_EQ(shape({0, -1}, 1), kStopped);
  EXPECT_EQ(shape({int64_t{1} << 32, int64_t{1} << 32, 12}), kStopped);
}

TEST(IllegalValues, ReshapeOfNothing) {
  const auto shape = [](std::vector<int64_t> wanted) {
    const HostTensor none = make_tensor(Type::f32, {0, 6});
    return shape_of_result({"Reshape", 14, {given(none), given(ints(wanted))}, {}});
  };
  EXPECT_EQ(shape({0, 3, 2}), (Numbers{0, 3, 2}));
  EXPECT_EQ(shape({-1, 3}), (Numbers{0, 3}));
  EXPECT_EQ(shape({0, -1}), kStopped);  // what it stands for cannot be told
}

TEST(IllegalValues, Split) {
  const auto first = [](std::vector<int64_t> sizes) {
    return result({"Split", 13, {given(counting({6})), given(ints(sizes))}, {}, 2});
  };
  EXPECT_EQ(first({2, 4}), (Numbers{0, 1}));
  EXPECT_EQ(first({-1, 7}), kStopped);
  EXPECT_EQ(first({7, -1}), kStopped);
  EXPECT_EQ(first({2, 3}), kStopped);
}

TEST(IllegalValues, TopK) {
  const auto best = [](int64_t k) {
    return result({"TopK", 11, {sized(counting({4})), given(ints({k}))}, {}, 2});
  };
  EXPECT_EQ(best(2), (Numbers{3, 2}));
  EXPECT_EQ(best(0), Numbers{});
  EXPECT_EQ(best(5), kStopped);
  EXPECT_EQ(best(-1), kStopped);
}

TEST(IllegalValues, NegativeExtents) {
  const Argument x = given(counting({2})), minus = given(ints({-1}));
  EXPECT_EQ(result({"Tile", 13, {x, minus}}), kStopped);
  EXPECT_EQ(result({"Expand", 13, {x, minus}}), kStopped);
  EXPECT_EQ(result({"ConstantOfShape", 9, {minus}}), kStopped);
  EXPECT_EQ(result({"OneHot", 11, {given(ints({0})), minus, given(floats({2}, {0, 1}))}}),
            kStopped);
  EXPECT_EQ(result({"Pad", 13, {x, given(ints({-2, -1}))}}), kStopped);
  EXPECT_EQ(result({"Pad", 13, {x, given(ints({-1, -1}))}}), Numbers{});
}

TEST(IllegalValues, SliceWithAxesAndStepsOfTheRun) {
  const auto cut = [](int64_t start, int64_t end, int64_t axis, int64_t step) {
    return result({"Slice",
                   13,
                   {given(counting({2, 3})), given(ints({start})), given(ints({end})),
                    given(ints({axis})), given(ints({step}))}});
  };
  EXPECT_EQ(cut(1, 100, 1, 1), (Numbers{1, 2, 4, 5}));
  EXPECT_EQ(cut(-1, -100, -1, -2), (Numbers{2, 0, 5, 3}));
  EXPECT_EQ(cut(1, 0, 0, -1), (Numbers{3, 4, 5}));
  EXPECT_EQ(cut(2, 2, 1, 1), Numbers{});
  EXPECT_EQ(cut(0, 3, 1, 0), kStopped);
  EXPECT_EQ(cut(0, 3, 2, 1), kStopped);
  EXPECT_EQ(cut(0, 3, -3, 1), kStopped);
}

// Sizes whose differences, multiplied, are 0 in 64 bits.
TEST(IllegalValues, BroadcastOfSizesThatDifferByPowersOfTwo) {
  const auto operand = [] { return sized(make_tensor(Type::u8, {1})); };
  const KernelGraph graph = lower(graph_of({"Add", 14, {operand(), operand()}}), {}).graph;
  const auto allowed = [&](int64_t a, int64_t b) {
    bool holds = true;
    for (const Step& step : graph.steps) {
      const Check* check = std::get_if<Check>(&step);
      if (!check) continue;
      for (const Condition& condition : check->guard) {
        const int64_t value = condition.index.evaluate(
            [&](const Index& leaf) { return leaf.as_symbol()->name == "n0" ? a : b; });
        holds = holds && value >= 0 && value < 1;
      }
    }
    return holds;
  };
  EXPECT_TRUE(allowed(1, 7));
  EXPECT_TRUE(allowed(7, 1));
  EXPECT_TRUE(allowed(7, 7));
  EXPECT_TRUE(allowed(0, 1));
  EXPECT_FALSE(allowed(7, 3));
  EXPECT_FALSE(allowed(0, 3));
  EXPECT_FALSE(allowed((int64_t{1} << 32) + 1, (int64_t{1} << 33) + 1));
}

TEST(IllegalValues, ThresholdsOfTheRun) {
  const auto kept = [](double overlap, double score) {
    const Argument boxes = given(floats({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9}));
    const Argument scores = given(floats({1, 1, 2}, {0.5, 0.75}));
    const auto number = [](double value) { return given(floats({1}, {value})); };
    return result({"NonMaxSuppression",
                   11,
                   {boxes, scores, given(ints({2})), number(overlap), number(score)}});
  };
  EXPECT_EQ(kept(0.5, 0), (Numbers{0, 0, 1}));
  EXPECT_EQ(kept(0.95, 0), (Numbers{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(kept(0.95, 0.6), (Numbers{0, 0, 1}));
  EXPECT_EQ(kept(1.5, 0), kStopped);
}

TEST(IllegalValues, IndicesIntoNothing) {
  const auto data = [](int64_t rows) { return given(make_tensor(Type::f32, {rows, 2})); };
  const Argument one = given(ints({0})), none = given(ints({}));
  const Argument row = given(floats({1, 2}, {1, 2})),
                 no_row = given(make_tensor(Type::f32, {0, 2}));
  const auto point = [](int64_t count) { return given(make_tensor(Type::i64, {count, 1})); };
  EXPECT_EQ(result({"Gather", 13, {data(0), none}}), Numbers{});
  EXPECT_EQ(refusal({"Gather", 13, {data(0), one}}), "shape-mismatch");
  EXPECT_EQ(refusal({"GatherND", 13, {data(0), point(1)}}), "shape-mismatch");
  EXPECT_EQ(refusal({"GatherND", 13, {data(0), point(0)}}), "");
  EXPECT_EQ(refusal({"ScatterND", 13, {data(0), point(1), row}}), "shape-mismatch");
  EXPECT_EQ(refusal({"ScatterND", 13, {data(0), point(0), no_row}}), "");
  const Argument first = given(make_tensor(Type::i64, {1, 2}));
  EXPECT_EQ(refusal({"GatherElements", 13, {data(0), first}}), "shape-mismatch");
  EXPECT_EQ(refusal({"ScatterElements", 13, {data(0), first, row}}), "shape-mismatch");
  // Nothing is read where the other dimensions are empty.
  EXPECT_EQ(refusal({"Gather", 13, {given(make_tensor(Type::f32, {0, 0})), one}}), "");
}

}  // namespace
}  // namespace burin::illegal_values_test
