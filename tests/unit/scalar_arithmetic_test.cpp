// Scalar operations at the edges of their types.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel/expr/scalar.h"
#include "support/check.h"

namespace burin::scalar_arithmetic_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();

int64_t integers(Binary op, Type type, int64_t a, int64_t b) {
  return apply(op, type, {0, a}, {0, b}).integer;
}
int64_t integers(Unary op, Type type, int64_t a) { return apply(op, type, {0, a}).integer; }
double floats(Binary op, Type type, double a, double b) {
  return apply(op, type, {a, 0}, {b, 0}).number;
}
double floats(Unary op, Type type, double a) { return apply(op, type, {a, 0}).number; }
bool truth(Binary op, Type type, ScalarValue a, ScalarValue b) {
  return apply(op, type, a, b).integer != 0;
}
int64_t to_integer(double a, Type to, CastMode mode = CastMode::convert) {
  return cast(Type::f64, to, mode, {a, 0}).integer;
}
int64_t recast(Type from, int64_t a, Type to, CastMode mode = CastMode::convert) {
  return cast(from, to, mode, {0, a}).integer;
}

TEST(Scalar, IntegersWrap) {
  EXPECT_EQ(integers(Binary::add, Type::i8, 100, 100), -56);
  EXPECT_EQ(integers(Binary::add, Type::u8, 200, 100), 44);
  EXPECT_EQ(integers(Binary::mul, Type::i32, 65536, 65536), 0);
  EXPECT_EQ(integers(Binary::mul, Type::u16, 65535, 65535), 1);
  EXPECT_EQ(integers(Binary::add, Type::i64, kMax64, 1), kMin64);
  EXPECT_EQ(integers(Binary::sub, Type::u32, 0, 1), 4294967295);
  EXPECT_EQ(integers(Unary::neg, Type::i64, kMin64), kMin64);
  EXPECT_EQ(integers(Unary::abs, Type::i8, -128), -128);
  EXPECT_EQ(integers(Unary::bit_not, Type::u8, 5), 250);
  EXPECT_EQ(integers(Unary::popcount, Type::i8, -1), 8);
  EXPECT_EQ(integers(Unary::popcount, Type::i64, -1), 64);
  EXPECT_EQ(integers(Unary::sign, Type::i32, -9), -1);
}

TEST(Scalar, IntegerDivision) {
  EXPECT_EQ(integers(Binary::div, Type::i32, -7, 2), -3);
  EXPECT_EQ(integers(Binary::div, Type::i32, 7, 0), 0);
  EXPECT_EQ(integers(Binary::div, Type::i64, kMin64, -1), kMin64);
  EXPECT_EQ(integers(Binary::div, Type::u64, -1, 2), kMax64);
  EXPECT_EQ(integers(Binary::mod, Type::i32, -7, 3), 2);
  EXPECT_EQ(integers(Binary::mod, Type::i32, 7, -3), -2);
  EXPECT_EQ(integers(Binary::mod, Type::i64, kMin64, -1), 0);
  EXPECT_EQ(integers(Binary::mod, Type::i32, 7, 0), 0);
  EXPECT_EQ(integers(Binary::fmod, Type::i32, -7, 3), -1);
  EXPECT_EQ(integers(Binary::fmod, Type::i32, 7, -3), 1);
  EXPECT_EQ(integers(Binary::pow, Type::i32, 3, 4), 81);
  EXPECT_EQ(integers(Binary::pow, Type::i32, 2, -1), 0);
}

TEST(Scalar, UnsignedSixtyFourBits) {
  EXPECT_FALSE(truth(Binary::lt, Type::u64, {0, -1}, {0, 1}));
  EXPECT_TRUE(truth(Binary::lt, Type::i64, {0, -1}, {0, 1}));
  EXPECT_EQ(integers(Binary::max, Type::u64, -1, 5), -1);
  EXPECT_EQ(cast(Type::u64, Type::f64, CastMode::convert, {0, -1}).number, 18446744073709551616.0);
  EXPECT_EQ(to_integer(1e19, Type::u64), static_cast<int64_t>(10000000000000000000ull));
  EXPECT_EQ(recast(Type::u64, -1, Type::i64, CastMode::saturate), kMax64);
  EXPECT_EQ(recast(Type::i64, -1, Type::u64, CastMode::saturate), 0);
  EXPECT_EQ(recast(Type::u64, -1, Type::u8, CastMode::saturate), 255);
}

TEST(Scalar, ShiftsBeyondTheWidthGiveZero) {
  EXPECT_EQ(integers(Binary::shift_left, Type::u8, 255, 8), 0);
  EXPECT_EQ(integers(Binary::shift_left, Type::u8, 255, 7), 128);
  EXPECT_EQ(integers(Binary::shift_right, Type::u32, 4294967295, 31), 1);
  EXPECT_EQ(integers(Binary::shift_right, Type::u32, 4294967295, 32), 0);
  EXPECT_EQ(integers(Binary::shift_right, Type::u64, -1, 63), 1);
  EXPECT_EQ(integers(Binary::shift_left, Type::u64, 1, 64), 0);
}

TEST(Scalar, FloatsRoundToTheirType) {
  EXPECT_EQ(floats(Binary::add, Type::f32, 16777216, 1), 16777216);
  EXPECT_EQ(floats(Binary::add, Type::f64, 16777216, 1), 16777217);
  EXPECT_EQ(floats(Binary::div, Type::f32, 1, 3), static_cast<double>(1.0f / 3.0f));
  EXPECT_TRUE(std::isnan(floats(Binary::min, Type::f32, kNaN, 1)));
  EXPECT_TRUE(std::isnan(floats(Binary::min, Type::f32, 1, kNaN)));
  EXPECT_TRUE(std::isnan(floats(Binary::max, Type::f64, 1, kNaN)));
  EXPECT_EQ(floats(Binary::mod, Type::f32, -7.5, 2), 0.5);
  EXPECT_EQ(floats(Binary::fmod, Type::f32, -7.5, 2), -1.5);
  EXPECT_EQ(floats(Unary::round, Type::f32, 2.5), 2);
  EXPECT_EQ(floats(Unary::round, Type::f32, 3.5), 4);
  EXPECT_EQ(floats(Unary::round, Type::f64, -0.5), 0);
  EXPECT_EQ(floats(Unary::sign, Type::f32, -3), -1);
  EXPECT_TRUE(std::isnan(floats(Unary::sign, Type::f32, kNaN)));
  EXPECT_TRUE(truth(Binary::ne, Type::f32, {kNaN, 0}, {kNaN, 0}));
  EXPECT_EQ(apply(Unary::is_inf, Type::f32, {-kInf, 0}).integer, 1);
  EXPECT_EQ(apply(Unary::is_nan, Type::f32, {1, 0}).integer, 0);
}

TEST(Scalar, MathIsThatOfRuntimeMin) {
  const std::pair<Unary, double (*)(double)> functions[] = {
      {Unary::sqrt, std::sqrt},   {Unary::exp, std::exp},     {Unary::log, std::log},
      {Unary::log1p, std::log1p}, {Unary::expm1, std::expm1}, {Unary::sin, std::sin},
      {Unary::cos, std::cos},     {Unary::tan, std::tan},     {Unary::asin, std::asin},
      {Unary::acos, std::acos},   {Unary::atan, std::atan},   {Unary::sinh, std::sinh},
      {Unary::cosh, std::cosh},   {Unary::tanh, std::tanh},   {Unary::asinh, std::asinh},
      {Unary::atanh, std::atanh}, {Unary::erf, std::erf},     {Unary::floor, std::floor},
      {Unary::ceil, std::ceil},   {Unary::trunc, std::trunc},
  };
  for (const auto& [op, function] : functions) {
    for (const double x : {0.125, 0.3125, 0.75}) {
      EXPECT_NEAR(floats(op, Type::f32, x), function(x), 1e-6) << to_string(op);
      EXPECT_NEAR(floats(op, Type::f64, x), function(x), 1e-14) << to_string(op);
    }
  }
  EXPECT_NEAR(floats(Unary::acosh, Type::f64, 1.5), std::acosh(1.5), 1e-14);
  EXPECT_NEAR(floats(Unary::rsqrt, Type::f64, 1.5), 1 / std::sqrt(1.5), 1e-14);
  EXPECT_NEAR(floats(Binary::pow, Type::f32, 1.5, 2.5), std::pow(1.5, 2.5), 1e-6);
  EXPECT_NEAR(floats(Binary::atan2, Type::f32, 1, -2), std::atan2(1, -2), 1e-6);
}

TEST(Scalar, CastsToIntegers) {
  EXPECT_EQ(to_integer(-3.9, Type::i32), -3);
  EXPECT_EQ(to_integer(kNaN, Type::i32), 0);
  EXPECT_EQ(to_integer(1e20, Type::i64), kMax64);
  EXPECT_EQ(to_integer(-1e20, Type::i64), kMin64);
  EXPECT_EQ(to_integer(300, Type::i8), 127);
  EXPECT_EQ(to_integer(-1, Type::u8), 0);
  EXPECT_EQ(to_integer(300, Type::u8, CastMode::saturate), 255);
  EXPECT_EQ(to_integer(0.5, Type::boolean), 1);
  EXPECT_EQ(to_integer(9, Type::i4), 7);
  EXPECT_EQ(recast(Type::i32, 300, Type::i8), 44);
  EXPECT_EQ(recast(Type::i32, 300, Type::i8, CastMode::saturate), 127);
  EXPECT_EQ(recast(Type::i32, -1, Type::u32), 4294967295);
  EXPECT_EQ(recast(Type::i32, 9, Type::i4), -7);
  EXPECT_EQ(recast(Type::i32, 9, Type::i4, CastMode::saturate), 7);
  EXPECT_EQ(recast(Type::i32, 6, Type::i2), -2);
  EXPECT_EQ(recast(Type::i32, 5, Type::u2), 1);
  EXPECT_EQ(recast(Type::i32, 9, Type::i2, CastMode::saturate), 1);
  EXPECT_EQ(recast(Type::i32, -9, Type::u2, CastMode::saturate), 0);
  EXPECT_EQ(recast(Type::i32, 17, Type::u4), 1);
  EXPECT_EQ(recast(Type::i32, -5, Type::u4, CastMode::saturate), 0);
  EXPECT_EQ(recast(Type::i64, 256, Type::boolean), 1);
  EXPECT_EQ(recast(Type::boolean, 1, Type::i64), 1);
}

TEST(Scalar, CastsToFloats) {
  const auto to = [](Type type, double a, CastMode mode = CastMode::convert) {
    return cast(Type::f32, type, mode, {a, 0}).number;
  };
  EXPECT_EQ(to(Type::f16, 2049), 2048);
  EXPECT_EQ(to(Type::f16, 1e6), kInf);
  EXPECT_EQ(to(Type::bf16, 257), 256);
  EXPECT_EQ(to(Type::f8e4m3fn, 500, CastMode::saturate), 448);
  EXPECT_TRUE(std::isnan(to(Type::f8e4m3fn, 500)));
  EXPECT_EQ(to(Type::f8e5m2, 1e9), kInf);
  EXPECT_EQ(to(Type::f8e5m2, 1e9, CastMode::saturate), 57344);
  EXPECT_EQ(cast(Type::i64, Type::f32, CastMode::convert, {0, 16777217}).number, 16777216);
  EXPECT_EQ(cast(Type::f64, Type::f32, CastMode::convert, {0.1, 0}).number,
            static_cast<double>(0.1f));
  // One rounding from f64 to f16, not two: the float in between would be a tie.
  const double above_tie = 1.0 + std::ldexp(1, -11) + std::ldexp(1, -30);
  EXPECT_EQ(cast(Type::f64, Type::f16, CastMode::convert, {above_tie, 0}).number,
            1.0 + std::ldexp(1, -10));
}

TEST(Scalar, StoredIsWhatMemoryHolds) {
  EXPECT_EQ(stored(Type::f16, {1.0001, 0}).number, 1);
  EXPECT_EQ(stored(Type::i4, {0, 9}).integer, -7);
  EXPECT_EQ(stored(Type::f32, {0.5, 0}).number, 0.5);
}

TEST(Scalar, WhatHasNoMeaningIsABug) {
  EXPECT_THROW(apply(Unary::exp, Type::i32, {0, 1}), InternalError);
  EXPECT_THROW(apply(Binary::bit_and, Type::f32, {1, 0}, {1, 0}), InternalError);
  EXPECT_THROW(apply(Binary::add, Type::string, {}, {}), InternalError);
  EXPECT_THROW(cast(Type::f32, Type::string, CastMode::convert, {}), InternalError);
}

}  // namespace
}  // namespace burin::scalar_arithmetic_test
