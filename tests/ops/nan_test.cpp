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

}  // namespace
}  // namespace burin::nan_test
