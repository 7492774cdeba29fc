// MaxPool: padding is no element, whatever the elements are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/support/node_runner.h"

namespace burin::max_pool_test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Windows of three, one step apart, with a padding of one on each side.
std::vector<HostTensor> pool(Type type, const Numbers& row) {
  const HostTensor x = make_tensor(type, {1, 1, static_cast<int64_t>(row.size())}, row);
  return run(
      {"MaxPool", 12, {given(x)}, {{"kernel_shape", Integers{3}}, {"pads", Integers{1, 1}}}, 2});
}

TEST(MaxPool, PaddingNeverWins) {
  const auto places = [](Type type, const Numbers& row) { return numbers_of(pool(type, row)[1]); };
  EXPECT_EQ(places(Type::f32, {3, 1, 2}), (Numbers{0, 0, 2}));
  const double least = -std::numeric_limits<float>::max();
  for (const double low : {-kInfinity, least})
    EXPECT_EQ(places(Type::f32, {low, low, low}), (Numbers{0, 0, 1})) << low;
  EXPECT_EQ(places(Type::i8, {-128, -128, -128}), (Numbers{0, 0, 1}));
  EXPECT_EQ(places(Type::u8, {0, 0, 0}), (Numbers{0, 0, 1}));
}

TEST(MaxPool, ValuesAndPlacesAgreeOnNan) {
  for (const Numbers& row : {Numbers{kNan, 1, 2}, {1, kNan, 2}, {1, 2, kNan}}) {
    const std::vector<HostTensor> both = pool(Type::f32, row);
    const Numbers values = numbers_of(both[0]), places = numbers_of(both[1]);
    for (size_t k = 0; k < values.size(); ++k) {
      const double at = row[static_cast<size_t>(places[k])];
      EXPECT_TRUE(at == values[k] || (std::isnan(at) && std::isnan(values[k]))) << k;
    }
    EXPECT_TRUE(std::isnan(values[1]));
  }
}

TEST(MaxPool, PlacesOfDilatedWindowsAndTheirOrder) {
  const NodeTest test{"MaxPool",
                      12,
                      {given(counting({1, 2, 3, 4}))},
                      {{"kernel_shape", Integers{2, 2}},
                       {"dilations", Integers{2, 2}},
                       {"pads", Integers{1, 1, 0, 0}}},
                      2};
  EXPECT_EQ(numbers_of(run(test)[0]), (Numbers{5, 6, 7, 9, 10, 11, 17, 18, 19, 21, 22, 23}));
  EXPECT_EQ(numbers_of(run(test)[1]), numbers_of(run(test)[0]));
  NodeTest columns = test;
  columns.attributes.push_back({"storage_order", int64_t{1}});
  EXPECT_EQ(numbers_of(run(columns)[1]), (Numbers{4, 7, 10, 5, 8, 11, 16, 19, 22, 17, 20, 23}));
  EXPECT_EQ(refusal({"MaxPool", 9, {test.inputs[0]}, test.attributes, 2}), "bad-attribute");
}

TEST(MaxPool, RoundedUp) {
  const NodeTest test{
      "MaxPool",
      12,
      {given(counting({1, 1, 5}))},
      {{"kernel_shape", Integers{2}}, {"strides", Integers{2}}, {"ceil_mode", int64_t{1}}},
      2};
  EXPECT_EQ(numbers_of(run(test)[0]), (Numbers{1, 3, 4}));
  EXPECT_EQ(numbers_of(run(test)[1]), (Numbers{1, 3, 4}));
}

// A window that is larger than the input, by less than a stride: one place; by more: none, as
// onnxruntime has it. Of open sizes the run stops instead.
TEST(Pools, WindowsLargerThanTheInput) {
  const auto windows = [](const std::string& op, Argument x, int64_t size, int64_t stride) {
    return NodeTest{
        op, 19, {std::move(x)}, {{"kernel_shape", Integers{size}}, {"strides", Integers{stride}}}};
  };
  const HostTensor two = floats({1, 1, 2}, {3, 5}), three = floats({1, 1, 3}, {3, 5, 4});
  EXPECT_EQ(numbers_of(run(windows("MaxPool", given(two), 3, 2))[0]), Numbers{5});
  EXPECT_EQ(numbers_of(run(windows("AveragePool", given(two), 3, 3))[0]), Numbers{4});
  EXPECT_EQ(numbers_of(run(windows("MaxPool", given(two), 4, 2))[0]), Numbers{});
  EXPECT_EQ(numbers_of(run(windows("AveragePool", given(two), 9, 3))[0]), Numbers{});
  EXPECT_EQ(numbers_of(run(windows("AveragePool", given(three), 5, 3))[0]), Numbers{4});
  EXPECT_ANY_THROW(run(windows("MaxPool", sized(two), 3, 2)));
  EXPECT_EQ(numbers_of(run(windows("MaxPool", sized(three), 3, 2))[0]), Numbers{5});
}

}  // namespace
}  // namespace burin::max_pool_test
