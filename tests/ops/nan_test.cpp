// NaN in, NaN out, wherever operators compare.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/support/node_runner.h"

namespace burin::nan_test {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Nan, PassesThroughMapsThatCompare) {
  for (const Type type : {Type::f16, Type::f32, Type::f64}) {
    const auto x = [&](double value) {
      return given(make_tensor(type, {1}, std::vector<double>{value}));
    };
    for (const char* op : {"Relu", "Abs", "Sign", "HardSigmoid", "LeakyRelu", "Elu", "Softplus"})
      EXPECT_TRUE(std::isnan(numbers_of(run({op, 16, {x(kNan)}})[0])[0])) << op;
    for (const char* op : {"Max", "Min", "Add"}) {
      EXPECT_TRUE(std::isnan(numbers_of(run({op, 13, {x(kNan), x(1)}})[0])[0])) << op;
      EXPECT_TRUE(std::isnan(numbers_of(run({op, 13, {x(1), x(kNan)}})[0])[0])) << op;
    }
    EXPECT_TRUE(std::isnan(numbers_of(run({"Clip", 13, {x(kNan), x(0), x(1)}})[0])[0]));
  }
}

TEST(Nan, PassesThroughReductions) {
  for (const char* op : {"ReduceMax", "ReduceMin", "ReduceSum", "ReduceL2", "ReduceLogSumExp"}) {
    for (const auto& row : {std::vector<double>{kNan, 1, 2}, {1, kNan, 2}, {1, 2, kNan}})
      EXPECT_TRUE(std::isnan(numbers_of(run({op, 18, {given(floats({3}, row))}})[0])[0])) << op;
  }
}

TEST(Nan, ComparesWithNothing) {
  const Argument nan = given(floats({1}, {kNan}));
  for (const char* op : {"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"})
    EXPECT_EQ(numbers_of(run({op, 16, {nan, nan}})[0])[0], 0) << op;
}

// As ONNX's reference: a result at a point of the input takes the point before it times 0. A
// dimension that stays as it is takes its points alone.
TEST(Nan, OfTheNeighbourBeforeAPointIsKeptByResize) {
  struct Case {
    const char* mode;
    const char* place;
    std::vector<double> x, y;  // of one dimension
  };
  const Case cases[] = {
      {"linear", "asymmetric", {kNan, 1, 2, 4}, {kNan, kNan, kNan, 1.5, 2, 3, 4, 4}},
      {"linear", "asymmetric", {1, kNan, 2, 4}, {1, kNan, kNan, kNan, kNan, 3, 4, 4}},
      {"linear", "align_corners", {1, kNan, 2}, {1, kNan, kNan, kNan, kNan}},
      {"cubic", "asymmetric", {1, 2, kNan, 4}, {1, kNan, kNan, kNan, kNan, kNan, kNan, kNan}},
  };
  const auto size = [](const std::vector<double>& list) { return std::ssize(list); };
  for (const Case& one : cases) {
    // Sizes that are known place points by fractions, those of the run by floats.
    for (const bool known : {true, false}) {
      const HostTensor sizes = ints({2, size(one.y)});
      std::vector<double> twice = one.x;
      twice.insert(twice.end(), one.x.begin(), one.x.end());
      const std::vector<double> y =
          numbers_of(run({"Resize",
                          18,
                          {given(floats({2, size(one.x)}, twice)), absent(), absent(),
                           known ? fixed(sizes) : given(sizes)},
                          {{"mode", std::string(one.mode)},
                           {"coordinate_transformation_mode", std::string(one.place)}}})[0]);
      ASSERT_EQ(y.size(), 2 * one.y.size());
      for (size_t i = 0; i < y.size(); ++i) {
        const double expected = one.y[i % one.y.size()];
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(y[i]) : y[i] == expected)
            << one.mode << ", " << one.place << ": " << y[i] << " for " << expected << " at " << i
            << (known ? "" : ", sizes of the run");
      }
    }
  }
}

}  // namespace
}  // namespace burin::nan_test
