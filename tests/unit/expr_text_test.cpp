// Text of expressions with names of the reader's choice.
#include "kernel/expr/expr_text.h"

#include <gtest/gtest.h>

#include "kernel/expr/expr_axes.h"

namespace burin::expr_text_test {
namespace {

Index symbol(const std::string& name) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::param;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

TEST(ExprText, NamesAreTheReaders) {
  // A symbol that is called like a value of a dump stays a symbol.
  const Index n = symbol("v1"), i = Index::axis(0, n), j = Index::axis(1, 4);
  const Expr at = Expr::load(2, Type::i64, {i});
  const Expr value = Expr::let(1, Type::f32, {i}, 2) +
                     Expr::load(12, Type::f32, {n - i, Index::data(at.ptr(), {})});
  EXPECT_EQ(to_string(value), "(let1.2[i0] + v12[v1 - i0, {v2[i0]}])");
  const TextNames names{[](ValueId id) { return "x" + std::to_string(id - 2); },
                        [](int let, int component) {
                          return "sum" + std::to_string(let) + "_" + std::to_string(component);
                        },
                        [](const Symbol&) { return std::string("n0"); }};
  EXPECT_EQ(to_string(value, names), "(sum1_2[i0] + x10[n0 - i0, {x0[i0]}])");
  EXPECT_EQ(to_string(Guard{{i + j, 0, n}}, names), "0 <= i0 + i1 < n0");
  EXPECT_EQ(axes_of(value), std::vector<int>{0});
  EXPECT_EQ(axes_of(Expr::cases({{{{j, 1, 2}}, value}}, Expr::constant(Type::f32, 0))),
            (std::vector<int>{0, 1}));
}

TEST(ExprText, NumbersAreShort) {
  EXPECT_EQ(number_text(0.5), "0.5");
  EXPECT_EQ(number_text(1e30), "1e+30");
  EXPECT_EQ(number_text(1.0 / 3), "0.333333333");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
}

}  // namespace
}  // namespace burin::expr_text_test
