#include "report/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace burin::compare_test {
namespace {

// Values of an ordinary result, none of which a narrower type has.
std::vector<double> results() {
  std::vector<double> out;
  for (int i = 1; i <= 100; ++i) out.push_back(std::sin(0.1 * i) * 3);
  return out;
}

HostTensor through(Type narrow, Type type) {
  const HostTensor rounded = make_tensor(narrow, {100}, results());
  HostTensor out = make_tensor(type, {100});
  for (int64_t i = 0; i < 100; ++i) out.set(i, rounded.get(i));
  return out;
}

bool agrees_with_results(const HostTensor& got) {
  return compare(got, make_tensor(got.type, {100}, results())).agrees();
}

HostTensor f32_pair(double a, double b) {
  return make_tensor(Type::f32, {2}, std::vector<double>{a, b});
}

TEST(Compare, BytesAgreeWithinTheStepThatIsAllowed) {
  const HostTensor wanted = make_tensor(Type::u8, {3}, std::vector<int64_t>{7, 0, 255}),
                   step = make_tensor(Type::u8, {3}, std::vector<int64_t>{8, 0, 254}),
                   two = make_tensor(Type::u8, {3}, std::vector<int64_t>{9, 0, 255});
  EXPECT_FALSE(compare(step, wanted).agrees()) << "exact, unless told otherwise";
  EXPECT_TRUE(compare(step, wanted, {1, 0}).agrees());
  EXPECT_EQ(compare(step, wanted, {1, 0}).absolute, 1);
  EXPECT_FALSE(compare(two, wanted, {1, 0}).agrees());
}

// A border that is computed wrongly is a step off in a row, not in one element.
TEST(Compare, FewBytesMayBeAStepOff) {
  constexpr Tolerance kFew{1, 0, 1.0 / 256};
  const auto agrees = [&](int64_t elements, int64_t off) {
    const HostTensor wanted = make_tensor(Type::u8, {elements});
    HostTensor got = wanted;
    for (int64_t i = 0; i < off; ++i) got.set(i, {0, 1});
    return compare(got, wanted, kFew).agrees();
  };
  EXPECT_TRUE(agrees(64, 1));
  EXPECT_FALSE(agrees(64, 2));
  EXPECT_TRUE(agrees(1024, 5));
  EXPECT_FALSE(agrees(1024, 6));
  EXPECT_FALSE(
      compare(make_tensor(Type::u8, {1}, std::vector<int64_t>{2}), make_tensor(Type::u8, {1}), kFew)
          .agrees());
}

TEST(Compare, ResultsOfANarrowerTypeDiffer) {
  EXPECT_FALSE(agrees_with_results(through(Type::f32, Type::f64)));
  EXPECT_FALSE(agrees_with_results(through(Type::f16, Type::f64)));
  EXPECT_FALSE(agrees_with_results(through(Type::f16, Type::f32)));
  EXPECT_FALSE(agrees_with_results(through(Type::bf16, Type::f32)));
  EXPECT_FALSE(agrees_with_results(through(Type::f8e4m3fn, Type::f16)));
}

TEST(Compare, ResultsOfTheTypeItselfAgree) {
  for (const Type type : {Type::f64, Type::f32, Type::f16, Type::bf16})
    EXPECT_TRUE(agrees_with_results(through(type, type))) << to_string(type);
}

// As another order of summation may leave them.
TEST(Compare, AFewUnitsInTheLastPlaceAgree) {
  for (const auto& [type, unit] : {std::pair{Type::f64, 0x1p-52}, std::pair{Type::f32, 0x1p-23}}) {
    std::vector<double> off = results();
    for (double& value : off) value *= 1 + 16 * unit;
    EXPECT_TRUE(agrees_with_results(make_tensor(type, {100}, off))) << to_string(type);
  }
}

// Halves of a softmax over 4096 classes: none is as large as 1e-3.
TEST(Compare, ZerosDoNotAgreeWithSmallNumbers) {
  for (const Type type : {Type::f64, Type::f32, Type::f16, Type::bf16}) {
    for (const double scale : {1.0, 1.0 / 4096, 1e-6}) {
      std::vector<double> small;
      for (int i = 0; i < 100; ++i) small.push_back(scale * (1 + 0.01 * i));
      const HostTensor wanted = make_tensor(type, {100}, small);
      EXPECT_TRUE(compare(wanted, wanted).agrees());
      EXPECT_FALSE(compare(make_tensor(type, {100}, std::vector<double>(100, 0)), wanted).agrees())
          << to_string(type) << " " << scale;
    }
  }
  // As an f32 output with --half is held against.
  const HostTensor wanted = f32_pair(1.0 / 4096, 2.0 / 4096);
  const HostTensor rounded = f32_pair(1.0 / 4096, 2.002 / 4096);
  const HostTensor zeros = f32_pair(0.0, 0.0);
  EXPECT_TRUE(compare(rounded, wanted, default_tolerance(Type::f16)).agrees());
  EXPECT_FALSE(compare(zeros, wanted, default_tolerance(Type::f16)).agrees());
}

// What cancels is not nothing in another order.
TEST(Compare, AlmostZerosAgreeWithZeros) {
  EXPECT_TRUE(compare(f32_pair(1e-8, -1e-8), f32_pair(0.0, 0.0)).agrees());
}

}  // namespace
}  // namespace burin::compare_test
