// What expressions and indices are without knowing their operands.
#include <gtest/gtest.h>

#include "kernel/expr/expr.h"
#include "kernel/index/index.h"

namespace burin::expr_fold_test {
namespace {

Expr element(Type type) { return Expr::load(0, type, {Index::axis(0, 8)}); }

TEST(ExprFold, WhatIsComparedWithItselfIsKnown) {
  const Expr x = element(Type::i64);
  for (const auto& [op, holds] : {std::pair{Binary::eq, true},
                                  {Binary::le, true},
                                  {Binary::ge, true},
                                  {Binary::ne, false},
                                  {Binary::lt, false},
                                  {Binary::gt, false}}) {
    const Expr folded = Expr::binary(op, x, x);
    ASSERT_TRUE(folded.is_constant());
    EXPECT_EQ(folded->integer != 0, holds);
    EXPECT_FALSE(Expr::binary(op, element(Type::f32), element(Type::f32)).is_constant())
        << "it may be no number";
  }
}

// A compiler would warn of it, printed as a comparison.
TEST(ExprFold, ATruthWithItselfIsItOrFalse) {
  const Expr x = element(Type::boolean);
  EXPECT_EQ(Expr::binary(Binary::logical_xor, x, x), Expr::boolean(false));
  EXPECT_EQ(Expr::binary(Binary::logical_xor, x, Expr::boolean(false)), x);
  EXPECT_EQ(Expr::binary(Binary::logical_xor, Expr::boolean(false), x), x);
  EXPECT_EQ(Expr::binary(Binary::logical_and, x, x), x);
  EXPECT_EQ(Expr::binary(Binary::logical_or, x, x), x);
}

TEST(ExprFold, TheLeastOfOneIsThatOne) {
  for (const Type type : {Type::f32, Type::i64}) {
    EXPECT_EQ(Expr::binary(Binary::min, element(type), element(type)), element(type));
    EXPECT_EQ(Expr::binary(Binary::max, element(type), element(type)), element(type));
  }
}

// As the code that is emitted has it: a size may be a quotient by one that is 0 for some callers.
TEST(IndexValue, AQuotientByNothingIsNothing) {
  const Dim n =
      Index::symbol(std::make_shared<SymbolInfo>(SymbolInfo{"n", SymbolOrigin::param, 0, 8}));
  for (const Index& index : {floordiv(Index(24), n), mod(Index(24), n)})
    EXPECT_EQ(index.evaluate([](const Index&) { return int64_t{0}; }), 0);
}

}  // namespace
}  // namespace burin::expr_fold_test
