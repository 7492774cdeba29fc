// Which part of a result is made where the sums of its tile lie: what reads the sum and nothing
// that moves with the columns.
#include "select/programs/tile_values.h"

#include <gtest/gtest.h>

namespace burin::tile_values_test {
namespace {

constexpr int kRow = 0, kColumn = 1;
const std::vector<int> kColumns{kColumn};

Index axis(int id) { return Index::axis(id, 8); }
const Expr kSum = Expr::let(0, Type::f32, {axis(kRow), axis(kColumn)});
// Elements of a tensor by row, by column, of both.
const Expr kBias = Expr::load(1, Type::f32, {axis(kRow)});
const Expr kShift = Expr::load(2, Type::f32, {axis(kColumn)});
const Expr kResidual = Expr::load(3, Type::f32, {axis(kRow), axis(kColumn)});

Expr gate(const Expr& x) { return x * Expr::unary(Unary::tanh, x); }

TEST(TileValues, AllOfAValueThatReadsTheSumAlone) {
  const Expr value = gate(kSum + kBias);
  const std::optional<ValueOfSum> found = value_of_sum(value, 0, kColumns);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->made, value);
  EXPECT_EQ(found->rest, kSum);
}

TEST(TileValues, TheLargestPartInFrontOfWhatMoves) {
  const Expr inside = gate(kSum + kBias);
  const std::optional<ValueOfSum> found = value_of_sum(max(inside + kResidual, kBias), 0, kColumns);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->made, inside);
  EXPECT_EQ(found->rest, max(kSum + kResidual, kBias));
}

TEST(TileValues, NoneWhereTheFunctionIsOfWhatMoves) {
  EXPECT_FALSE(value_of_sum(gate(kSum + kShift), 0, kColumns));
  // Two parts of the sum beside each other, of which neither is all there is.
  EXPECT_FALSE(value_of_sum(gate(kSum) + kResidual * kSum, 0, kColumns));
  const Expr where =
      Expr::cases({{{{axis(kRow), 0, 3}}, gate(kSum)}}, Expr::constant(Type::f32, 0));
  EXPECT_FALSE(value_of_sum(where, 0, kColumns));
  // Another let is none of its business.
  EXPECT_FALSE(value_of_sum(gate(Expr::let(1, Type::f32, {axis(kRow)})) + kSum, 0, kColumns));
}

TEST(TileValues, ArithmeticWhereThatIsAskedFor) {
  const Expr clipped = max(kSum + kBias, kBias);
  EXPECT_FALSE(value_of_sum(clipped, 0, kColumns));
  const std::optional<ValueOfSum> found =
      value_of_sum(clipped * kResidual, 0, kColumns, Least::any);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->made, clipped);
  EXPECT_EQ(found->rest, kSum * kResidual);
  EXPECT_FALSE(value_of_sum(kSum, 0, kColumns, Least::any));
  EXPECT_FALSE(value_of_sum(kSum * kResidual, 0, kColumns, Least::any));
}

}  // namespace
}  // namespace burin::tile_values_test
