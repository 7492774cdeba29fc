// Elements of every type in and out of host tensors.
#include <gtest/gtest.h>

#include <limits>

#include "kernel/tensor.h"
#include "support/check.h"

namespace burin::tensor_host_test {
namespace {

// Five that the type holds.
std::vector<int64_t> small_integers(Type type) {
  switch (type) {
    case Type::f8e8m0:
      return {1, 4, 2, 16, 1};
    case Type::f4e2m1:
      return {0, 1, 2, 6, 3};
    case Type::i2:
      return {0, 1, -2, 1, -1};
    case Type::u2:
      return {0, 1, 2, 3, 1};
    default:
      return {0, 1, 2, 7, 3};
  }
}

TEST(HostTensor, OfNoElementHaveNoneHoweverLongTheyAre) {
  HostTensor tensor;
  tensor.type = Type::f32;
  tensor.shape = {int64_t{1} << 62, 4, 0};
  EXPECT_EQ(tensor.elements(), 0);
}

TEST(HostTensor, EveryTypeKeepsSmallIntegers) {
  for (int t = 1; t < kTypeCount; ++t) {
    const auto type = static_cast<Type>(t);
    if (type == Type::string || type == Type::boolean) continue;
    const std::vector<int64_t> numbers = small_integers(type);
    const HostTensor tensor = make_tensor(type, {5}, numbers);
    EXPECT_EQ(static_cast<int64_t>(tensor.bytes.size()), size_bytes(type, 5));
    for (int64_t i = 0; i < 5; ++i) {
      const ScalarValue value = tensor.get(i);
      const double number = is_float(type) ? value.number : static_cast<double>(value.integer);
      EXPECT_EQ(number, static_cast<double>(numbers[static_cast<size_t>(i)])) << to_string(type);
    }
  }
}

TEST(HostTensor, FourBitElementsAreLowHalfFirst) {
  HostTensor tensor = make_tensor(Type::i4, {3}, std::vector<int64_t>{-1, 5, -8});
  EXPECT_EQ(tensor.bytes, (std::vector<std::byte>{std::byte{0x5f}, std::byte{0x08}}));
  tensor.set(1, {0, -2});
  EXPECT_EQ(tensor.get(0).integer, -1);
  EXPECT_EQ(tensor.get(1).integer, -2);
  EXPECT_EQ(tensor.get(2).integer, -8);
}

TEST(HostTensor, NegativeNumbersAndRounding) {
  EXPECT_EQ(make_tensor(Type::i8, {1}, std::vector<int64_t>{-5}).get(0).integer, -5);
  EXPECT_EQ(make_tensor(Type::f16, {1}, std::vector<double>{-0.1}).get(0).number, -0.0999755859375);
  EXPECT_EQ(make_tensor(Type::bf16, {1}, std::vector<double>{3.14159}).get(0).number, 3.140625);
  EXPECT_EQ(make_tensor(Type::u64, {1}, std::vector<double>{1e19}).get(0).integer,
            static_cast<int64_t>(10000000000000000000ull));
  EXPECT_EQ(make_tensor(Type::boolean, {2}, std::vector<int64_t>{0, 9}).bytes[1], std::byte{1});
}

TEST(HostTensor, ConstantsRoundTrip) {
  const HostTensor tensor = make_tensor(Type::f32, {2, 2}, std::vector<double>{1, 2, 3, 4.5});
  EXPECT_EQ(to_tensor(Type::f32, {2, 2}, to_constant(tensor)), tensor);
  EXPECT_THROW(to_tensor(Type::f32, {3}, to_constant(tensor)), InternalError);
}

TEST(HostTensor, ElementsOutsideAreABug) {
  const HostTensor tensor = make_tensor(Type::f32, {2}, std::vector<double>{1, 2});
  EXPECT_THROW(tensor.get(2), InternalError);
  EXPECT_THROW(tensor.get(-1), InternalError);
  const HostTensor negative{Type::f32, {-1}, {}};
  EXPECT_THROW(negative.elements(), InternalError);
}

// Low bits of a byte first; an element leaves its neighbours alone.
TEST(HostTensor, ElementsOfFewBitsShareBytes) {
  HostTensor two = make_tensor(Type::i2, {5}, std::vector<int64_t>{1, -2, -1, 0, 1});
  EXPECT_EQ(two.bytes, (std::vector<std::byte>{std::byte{0b00111001}, std::byte{1}}));
  two.set(2, {0, 1});
  EXPECT_EQ(two.bytes[0], std::byte{0b00011001});
  EXPECT_EQ(two.get(1).integer, -2);
  const HostTensor four = make_tensor(Type::f4e2m1, {3}, std::vector<double>{-6, 0.5, 100});
  EXPECT_EQ(four.bytes, (std::vector<std::byte>{std::byte{0x1f}, std::byte{7}}));
  EXPECT_EQ(four.get(0).number, -6);
  EXPECT_EQ(four.get(2).number, 6);
  const HostTensor power = make_tensor(Type::f8e8m0, {2}, std::vector<double>{8, 0.3});
  EXPECT_EQ(power.bytes, (std::vector<std::byte>{std::byte{130}, std::byte{126}}));
}

TEST(TypeBytes, ManyElementsDoNotOverflow) {
  EXPECT_EQ(size_bytes(Type::u2, 9), 3);
  EXPECT_EQ(size_bytes(Type::i4, 3), 2);
  EXPECT_EQ(size_bytes(Type::u4, 16), 8);
  EXPECT_EQ(size_bytes(Type::f64, int64_t{1} << 50), int64_t{1} << 53);
  EXPECT_EQ(size_bytes(Type::i8, (int64_t{1} << 60) + 7), (int64_t{1} << 60) + 7);
  EXPECT_EQ(size_bytes(Type::f64, int64_t{1} << 61), int64_t{1} << 62);
  EXPECT_EQ(size_bytes(Type::f64, std::numeric_limits<int64_t>::max()), int64_t{1} << 62);
  EXPECT_EQ(size_bytes(Type::string, std::numeric_limits<int64_t>::max()), 0);
}

}  // namespace
}  // namespace burin::tensor_host_test
