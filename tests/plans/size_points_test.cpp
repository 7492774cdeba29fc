#include "plan/packing/size_points.h"

#include <gtest/gtest.h>

#include <set>

#include "plans/support/graph_builder.h"

namespace burin::size_points_test {
namespace {

TEST(SizePoints, NumbersHaveOnePoint) {
  const SizePoints points({Dim(3), Dim(4)});
  ASSERT_EQ(points.count(), 1U);
  EXPECT_EQ(points.evaluate(Dim(3), 0), 3);
}

TEST(SizePoints, HintsThenEndsThenWhatLiesBetween) {
  const Dim n = Index::symbol(test::param("N", 1, 512, 128));
  const SizePoints points({n * 4, n + 1});
  ASSERT_GE(points.count(), 7U);
  EXPECT_EQ(points.evaluate(n, 0), 128);
  EXPECT_EQ(points.evaluate(n, 1), 1);
  EXPECT_EQ(points.evaluate(n, 2), 512);
  std::set<int64_t> seen;
  for (size_t k = 0; k < points.count(); ++k) {
    const int64_t size = points.evaluate(n, k);
    EXPECT_TRUE(seen.insert(size).second) << size;
    EXPECT_GE(size, 1);
    EXPECT_LE(size, 512);
    EXPECT_EQ(points.evaluate(n * 4 + 1, k), size * 4 + 1);
  }
}

TEST(SizePoints, SymbolsAlsoDisagree) {
  const Dim n = Index::symbol(test::param("N", 2, 64, 8));
  const Dim m = Index::symbol(test::param("M", 0, 100, 10));
  const SizePoints points({n * m});
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t k = 0; k < points.count(); ++k)
    seen.insert({points.evaluate(n, k), points.evaluate(m, k)});
  EXPECT_TRUE(seen.contains({2, 100}));
  EXPECT_TRUE(seen.contains({64, 0}));
}

TEST(SizePoints, OpenSymbolsStayWithinWhatProductsHold) {
  std::vector<Dim> dims;
  Dim product = 1;
  for (const char* name : {"A", "B", "C", "D"}) {
    dims.push_back(Index::symbol(test::param(name, 1, kUnbounded, 16)));
    product = product * dims.back();
  }
  const SizePoints points(dims);
  for (size_t k = 0; k < points.count(); ++k) EXPECT_GT(points.evaluate(product * 1024, k), 0);
}

}  // namespace
}  // namespace burin::size_points_test
