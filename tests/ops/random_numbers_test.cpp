// Random operators: shape, type, range, distribution, and the same numbers in each run.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ops/support/node_runner.h"

namespace burin::random_numbers_test {
namespace {

using Numbers = std::vector<double>;

constexpr int64_t kMany = 40000;

Attribute real(const char* name, double value) { return {name, static_cast<float>(value)}; }
Attribute integer(const char* name, int64_t value) { return {name, value}; }
Attribute shape_of(int64_t count) { return {"shape", std::vector<int64_t>{count}}; }

double mean_of(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// The mean of f over the numbers.
template <class F>
double mean_of(const Numbers& numbers, F f) {
  double sum = 0;
  for (const double x : numbers) sum += f(x);
  return sum / static_cast<double>(numbers.size());
}

Numbers draw(const NodeTest& test) { return numbers_of(run(test)[0]); }

TEST(RandomNumbers, UniformIsFlatBetweenItsEnds) {
  const NodeTest test{"RandomUniform", 22, {}, {shape_of(kMany), real("low", -1), real("high", 3)}};
  const Numbers found = draw(test);
  ASSERT_EQ(found.size(), kMany);
  std::vector<int> bins(16);
  for (const double x : found) {
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    ++bins[static_cast<size_t>((x + 1) * 4)];
  }
  // 2500 expected in each, with deviation 48.
  for (const int bin : bins) EXPECT_NEAR(bin, 2500, 250);
  EXPECT_EQ(draw(test), found);
}

TEST(RandomNumbers, NeighboursAreNotRelated) {
  const Numbers found =
      draw({"RandomUniform", 22, {}, {shape_of(kMany), real("low", -1), real("high", 1)}});
  for (const size_t lag : {1U, 2U, 16U}) {
    double sum = 0;
    for (size_t k = lag; k < found.size(); ++k) sum += found[k] * found[k - lag];
    EXPECT_NEAR(sum / kMany, 0, 0.01) << lag;
  }
}

TEST(RandomNumbers, NormalHasItsMoments) {
  for (const int64_t type : {1, 11}) {  // float, double
    const Numbers found = draw({"RandomNormal",
                                22,
                                {},
                                {shape_of(kMany), real("mean", 2), real("scale", 3),
                                 integer("dtype", type), real("seed", 7)}});
    EXPECT_NEAR(mean_of(found), 2, 0.08);
    EXPECT_NEAR(mean_of(found, [](double x) { return (x - 2) * (x - 2); }), 9, 0.4);
    EXPECT_NEAR(mean_of(found, [](double x) { return std::pow((x - 2) / 3, 4); }), 3, 0.3);
    const double within = mean_of(found, [](double x) { return std::abs(x - 2) < 3 ? 1.0 : 0.0; });
    EXPECT_NEAR(within, 0.6827, 0.02);
  }
}

TEST(RandomNumbers, SeedsTellDrawsApart) {
  const auto seeded = [&](double seed) {
    return draw({"RandomUniform", 22, {}, {shape_of(100), real("seed", seed)}});
  };
  EXPECT_EQ(seeded(1), seeded(1));
  EXPECT_NE(seeded(1), seeded(2));
}

TEST(RandomNumbers, LikeTakesShapeAndType) {
  const Argument like = sized(make_tensor(Type::f64, {3, 5}));
  for (const char* op : {"RandomUniformLike", "RandomNormalLike"}) {
    const HostTensor found = run({op, 22, {like}})[0];
    EXPECT_EQ(found.type, Type::f64);
    EXPECT_EQ(found.shape, (std::vector<int64_t>{3, 5}));
    EXPECT_EQ(run({op, 22, {like}, {integer("dtype", 10)}})[0].type, Type::f16);
  }
}

TEST(RandomNumbers, BernoulliFollowsItsProbabilities) {
  Numbers probabilities;
  for (int64_t k = 0; k < kMany; ++k) probabilities.push_back(static_cast<double>(k % 4) / 3);
  const HostTensor found =
      run({"Bernoulli", 22, {given(floats({kMany}, probabilities))}, {integer("dtype", 6)}})[0];
  EXPECT_EQ(found.type, Type::i32);
  const Numbers ones = numbers_of(found);
  Numbers count(4);
  for (size_t k = 0; k < ones.size(); ++k) count[k % 4] += ones[k];
  EXPECT_EQ(count[0], 0);
  EXPECT_NEAR(count[1], kMany / 12.0, 250);
  EXPECT_NEAR(count[2], kMany / 6.0, 250);
  EXPECT_EQ(count[3], kMany / 4.0);
}

TEST(RandomNumbers, MultinomialFollowsTheSoftmax) {
  const HostTensor found = run({"Multinomial",
                                22,
                                {given(floats({2, 3}, {0, std::log(2), std::log(5), 0, 0, -99}))},
                                {integer("sample_size", kMany), integer("dtype", 7)}})[0];
  EXPECT_EQ(found.type, Type::i64);
  ASSERT_EQ(found.shape, (std::vector<int64_t>{2, kMany}));
  const Numbers drawn = numbers_of(found);
  std::vector<std::vector<double>> count(2, Numbers(3));
  for (size_t k = 0; k < drawn.size(); ++k) ++count[k / kMany][static_cast<size_t>(drawn[k])];
  EXPECT_NEAR(count[0][0], kMany / 8.0, 350);
  EXPECT_NEAR(count[0][1], kMany / 4.0, 450);
  EXPECT_NEAR(count[0][2], kMany * 5 / 8.0, 500);
  EXPECT_NEAR(count[1][0], kMany / 2.0, 500);
  EXPECT_EQ(count[1][2], 0);
}

TEST(RandomNumbers, DropoutDropsAndScales) {
  const Argument x = given(floats({kMany}, Numbers(kMany, 3)));
  const Argument ratio = given(floats({}, {0.25})),
                 trains = given(make_tensor(Type::boolean, {}, Numbers{1}));
  const std::vector<HostTensor> found =
      run({"Dropout", 13, {x, ratio, trains}, {integer("seed", 5)}, 2});
  const Numbers kept = numbers_of(found[0]), mask = numbers_of(found[1]);
  EXPECT_EQ(found[1].type, Type::boolean);
  for (size_t k = 0; k < kept.size(); ++k) ASSERT_EQ(kept[k], mask[k] != 0 ? 4 : 0);
  EXPECT_NEAR(mean_of(mask), 0.75, 0.02);
  // Before opset 7 the attributes say it.
  const Numbers old = draw({"Dropout", 6, {x}, {real("ratio", 0.5)}});
  for (const double one : old) ASSERT_TRUE(one == 0 || one == 6);
  EXPECT_NEAR(mean_of(old), 3, 0.1);
}

TEST(RandomNumbers, WhatHasNoMeaningIsRefused) {
  EXPECT_EQ(refusal({"RandomNormal", 22, {}, {shape_of(2), integer("dtype", 7)}}), "bad-attribute");
  EXPECT_EQ(refusal({"RandomNormal", 22, {}, {shape_of(-2)}}), "bad-attribute");
  EXPECT_EQ(refusal({"Dropout", 6, {given(floats({1}, {0}))}, {real("ratio", 1)}}),
            "bad-attribute");
  EXPECT_EQ(refusal({"Multinomial", 22, {given(floats({3}, {0, 0, 0}))}}), "shape-mismatch");
}

}  // namespace
}  // namespace burin::random_numbers_test
