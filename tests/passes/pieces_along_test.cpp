// An axis in pieces: together they are the axis, in each its conditions are decided, and a product
// over a concatenation is packed piece by piece, without a window and without a condition.
#include "select/axes/pieces_along.h"

#include <gtest/gtest.h>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "loops/program_text.h"
#include "loops/walk.h"
#include "select/axes/guards.h"
#include "selected_kernel.h"

namespace burin::pieces_along_test {
namespace {

const auto nothing_moves = [](const Index&) { return false; };

// cases {0 <= i < 10: 0; 10 <= i < 20: 1; ...} of so many pieces.
Expr numbered(const Index& axis, int64_t count) {
  std::vector<Expr::Case> cases;
  for (int64_t k = 0; k < count; ++k)
    cases.push_back({{{axis, 10 * k, 10 * (k + 1)}}, Expr::constant(Type::i32, k)});
  return Expr::cases(cases, Expr::constant(Type::i32, -1));
}

TEST(PiecesAlong, OperandsOfAConcatenationComeOneByOne) {
  const Index axis = Index::axis(0, 250);
  const std::vector<AxisPiece> pieces = pieces_along(0, 0, 250, numbered(axis, 25), nothing_moves);
  ASSERT_EQ(pieces.size(), 25U);
  for (int64_t k = 0; k < 25; ++k) {
    const AxisPiece& piece = pieces[static_cast<size_t>(k)];
    EXPECT_EQ(piece.begin, Index(10 * k));
    EXPECT_EQ(piece.end, Index(10 * (k + 1)));
    EXPECT_EQ(piece.value, Expr::constant(Type::i32, k));
  }
}

// More than there may be: the rest is one piece, in which the conditions stay.
TEST(PiecesAlong, ThereAreNoMoreThanTheMost) {
  const Index axis = Index::axis(0, 1000);
  const std::vector<AxisPiece> pieces =
      pieces_along(0, 0, 1000, numbered(axis, 100), nothing_moves);
  ASSERT_EQ(pieces.size(), static_cast<size_t>(kMostPieces));
  Index at = 0;
  for (size_t k = 0; k < pieces.size(); ++k) {
    EXPECT_EQ(pieces[k].begin, at);
    EXPECT_EQ(conditions_of(pieces[k].value).empty(), k + 1 < pieces.size());
    at = pieces[k].end;
  }
  EXPECT_EQ(at, Index(1000));
}

TEST(PiecesAlong, AMarginOfAPaddedRowIsOneOfThree) {
  const Index axis = Index::axis(0, 30);
  const Expr element = Expr::cases({{{{axis - 2, 0, 26}}, Expr::constant(Type::i32, 1)}},
                                   Expr::constant(Type::i32, 0));
  const std::vector<AxisPiece> pieces = pieces_along(0, 0, 30, element, nothing_moves);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[1].begin, Index(2));
  EXPECT_EQ(pieces[1].end, Index(28));
  EXPECT_EQ(pieces[1].value, Expr::constant(Type::i32, 1));
  EXPECT_EQ(pieces[0].value, Expr::constant(Type::i32, 0));
  EXPECT_EQ(pieces[2].value, Expr::constant(Type::i32, 0));
}

TEST(PiecesAlong, WhatMovesInsideStays) {
  const Index axis = Index::axis(0, 30), inner = Index::axis(1, 5);
  const Expr element = Expr::cases({{{{axis + inner, 0, 26}}, Expr::constant(Type::i32, 1)}},
                                   Expr::constant(Type::i32, 0));
  const auto moves = [](const Index& index) { return index.uses_axis(1); };
  const std::vector<AxisPiece> pieces = pieces_along(0, 0, 30, element, moves);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].value, element);
  EXPECT_TRUE(pieces_along(0, 7, 7, element, moves).empty());
}

// y[m, i, j] = sum over c of w[m, c] * relu(concat of 14 planes and more)[c, i, j].
TEST(PiecesAlong, APointwiseConvolutionOfAConcatenationNeedsNoWindow) {
  GraphFixture g;
  const Operand w = g.constant("w", {24, 70}, -1), y = g.output("y", {24, 7, 7});
  std::vector<Operand> parts;
  for (int k = 0; k < 14; ++k) parts.push_back(g.input("x" + std::to_string(k), {5, 7, 7}));
  KernelBuilder kernel;
  const Index m = kernel.axis(24), i = kernel.axis(7), j = kernel.axis(7),
              c = kernel.reduce_axis(70);
  std::vector<Expr::Case> cases;
  for (int64_t k = 0; k < 13; ++k)
    cases.push_back(
        {{{c, 5 * k, 5 * (k + 1)}}, parts[static_cast<size_t>(k)].at({c - 5 * k, i, j})});
  const Expr all = Expr::cases(cases, parts[13].at({c - 65, i, j}));
  kernel.write(
      y, {m, i, j},
      kernel.reduce(Combiner::sum, {c}, w.at({m, c}) * max(all, Expr::constant(Type::f32, 0))));
  g.kernel("Conv", kernel);
  const Hardware hardware =
      load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/x86-64-v4-vnni.json");
  const SelectedKernel one(g.graph, hardware);
  EXPECT_FALSE(one.product().window);
  // Nothing is asked of a point, nor is its place in the plane.
  size_t asked = 0;
  loops::for_each(one.program().body, [&](const loops::Stmt& stmt) {
    loops::for_each_expr(stmt, [&](const Expr& expr) { asked += conditions_of(expr).size(); });
  });
  const std::string text = loops::to_string(one.program());
  EXPECT_EQ(asked, 0U) << text;
  EXPECT_EQ(text.find("plane_row"), std::string::npos) << text;
  one.expect_definition();
}

}  // namespace
}  // namespace burin::pieces_along_test
