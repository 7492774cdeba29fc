// Elements of inputs that decide sizes: one symbol for all who ask for the same element in the same
// way.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "kernel/kernel.h"
#include "lower/lower.h"

namespace burin::lower_size_elements_test {
namespace {

// Two vectors of one extent, each cut by a list of one bound; their sum.
KernelGraph cut_by(const std::string& second_list) {
  return lower(parse_graph(R"(graph "g" file "g.onnx" ir 8
symbol s param 1..64 @5
value %0 "x" f32 [s]
value %1 "z" f32 [s]
value %2 "k" i64 [1]
value %3 "l" i64 [1]
value %4 "zero" i64 [1] = i64 [1] {0}
value %5 "a" none ?
value %6 "b" none ?
value %7 "y" f32 ?
block "g" (%0, %1, %2, %3) -> (%7) {
  node 0 "first" Slice@17 (%0, %4, %2) -> (%5)
  node 1 "second" Slice@17 (%1, %4, )" +
                           second_list + R"() -> (%6)
  node 2 "sum" Add@17 (%5, %6) -> (%7)
})"),
               {})
      .graph;
}

int binds_in(const KernelGraph& graph) {
  int count = 0;
  for (const Step& step : graph.steps) count += std::holds_alternative<Bind>(step);
  return count;
}

TEST(SizeElements, TwoSlicesByOneListHaveOneSize) {
  const KernelGraph graph = cut_by("%2");
  EXPECT_EQ(binds_in(graph), 1);
  const Value& y = graph.values[static_cast<size_t>(graph.outputs.at(0))];
  EXPECT_EQ(y.shape.at(0).kind(), IndexKind::symbol) << to_string(y.shape.at(0));
}

TEST(SizeElements, OfTwoListsEachHasItsOwn) { EXPECT_EQ(binds_in(cut_by("%3")), 2); }

}  // namespace
}  // namespace burin::lower_size_elements_test
