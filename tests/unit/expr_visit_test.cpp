// Expressions are walked as the nodes that there are: a chain whose links read the one before twice
// has 2^n places, and every question about it is answered in n steps.
#include <gtest/gtest.h>

#include "kernel/expr/expr.h"
#include "kernel/expr/expr_axes.h"

namespace burin::expr_visit_test {
namespace {

constexpr int kLinks = 4000;

// v, v + v, ...: a node for each link and one load.
Expr doubled(int links) {
  Expr out = Expr::load(0, Type::f32, {Index::axis(0, 8)});
  for (int i = 0; i < links; ++i) out = out + out;
  return out;
}

int64_t nodes_met(const Expr& expr) {
  int64_t met = 0;
  visit_distinct(expr, [&](const ExprNode&) { ++met; });
  return met;
}

TEST(ExprVisit, EveryNodeIsMetOnce) {
  EXPECT_EQ(nodes_met(doubled(0)), 1);
  EXPECT_EQ(nodes_met(doubled(10)), 11);
  EXPECT_EQ(nodes_met(doubled(kLinks)), kLinks + 1);
  // Two loads that are equal are two nodes.
  const Expr a = Expr::load(0, Type::f32, {Index::axis(0, 8)}),
             b = Expr::load(0, Type::f32, {Index::axis(0, 8)});
  EXPECT_EQ(nodes_met(a + b), 3);
}

TEST(ExprVisit, OrderIsThatOfFirstOccurrences) {
  const Expr x = Expr::load(1, Type::f32, {}), y = Expr::load(2, Type::f32, {});
  const Expr sum = x + y;
  const Expr all = (sum * x) / (y - sum);
  std::vector<const ExprNode*> met, wanted;
  visit_distinct(all, [&](const ExprNode& node) { met.push_back(&node); });
  visit(all, [&](const ExprNode& node) {
    if (std::find(wanted.begin(), wanted.end(), &node) == wanted.end()) wanted.push_back(&node);
  });
  EXPECT_EQ(met, wanted);
  EXPECT_EQ(met.size(), 6u);
}

TEST(ExprVisit, SumsAreThoseOfAllOccurrences) {
  for (int links = 0; links < 12; ++links) {
    const Expr expr = doubled(links);
    int64_t places = 0;
    visit(expr, [&](const ExprNode&) { ++places; });
    EXPECT_EQ(sum_over(expr, [](const ExprNode&) -> int64_t { return 1; }), places);
    EXPECT_EQ(count_operations(expr), (int64_t{1} << links) - 1);
  }
  // Where there are more than anybody counts, each node is looked at once all the same.
  int64_t asked = 0;
  const int64_t sum = sum_over(doubled(kLinks), [&](const ExprNode&) -> int64_t {
    ++asked;
    return 1;
  });
  EXPECT_EQ(sum, kMostSum);
  EXPECT_EQ(asked, kLinks + 1);
}

TEST(ExprVisit, WhatLiesInsideIndicesIsMetToo) {
  const Expr number = Expr::load(3, Type::i64, {});
  const Expr twice = number + number;
  const Index data = Index::data(twice.ptr(), {0, 100});
  const Expr expr = Expr::load(0, Type::f32, {data, data + 1});
  EXPECT_EQ(nodes_met(expr), 3) << "the load, the sum and the number";
  EXPECT_EQ(sum_over(expr,
                     [](const ExprNode& node) -> int64_t {
                       return node.kind == ExprKind::load && node.id == 3;
                     }),
            4)
      << "two indices of two places each";
}

TEST(ExprVisit, AxesAndLetsOfLongChainsAreFound) {
  const Expr chain = doubled(kLinks);
  EXPECT_EQ(axes_of(chain), std::vector<int>{0});
  EXPECT_FALSE(has_let(chain));
  EXPECT_TRUE(has_let(chain + Expr::let(0, Type::f32, {})));
}

}  // namespace
}  // namespace burin::expr_visit_test
