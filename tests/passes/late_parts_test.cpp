// Parts of a concatenation that cannot be made in place: the run finds their place too late, or
// another part reads them too.
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::late_parts_test {
namespace {

Symbol position(int64_t most) {
  return std::make_shared<SymbolInfo>(SymbolInfo{"position", SymbolOrigin::run, 0, most});
}

// A row of a cache is replaced: cache[:position], x w, cache[position + 1:].
KernelGraph row_replaced(bool bound_first) {
  GraphFixture g;
  const Operand cache = g.input("cache", {6, 4}), x = g.input("x", {1, 5}),
                at_row = g.constant("at_row", {1}, 2), part = g.value("part", {1, 4}),
                y = g.output("y", {6, 4});
  const Symbol row = position(5);
  const Bind bind{row, Expr::cast(Type::i64, at_row.at({0})), {}};
  if (bound_first) g.graph.steps.emplace_back(bind);
  matmul(g, "MatMul", x, g.constant("w", {5, 4}), part);
  if (!bound_first) g.graph.steps.emplace_back(bind);
  const Index here = Index::symbol(row);
  g.map("Concat", y, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, here}}, cache.at(at)},
                        {{{at[0], here, here + 1}}, part.at({at[0] - here, at[1]})}},
                       cache.at(at));
  });
  return g.graph;
}

TEST(LateParts, AMakerThatRunsBeforeThePlaceIsKnownKeepsItsTensor) {
  const KernelGraph late = row_replaced(false);
  const KernelGraph fused = fuse(late, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(late, fused);
}

TEST(LateParts, AMakerThatRunsBehindItWritesThere) {
  const KernelGraph early = row_replaced(true);
  const KernelGraph fused = fuse(early, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  for_each_kernel(fused.steps, [&](const Kernel& kernel) {
    EXPECT_EQ(kernel.writes[0].to, fused.outputs[0]) << to_string(fused);
  });
  expect_same(early, fused);
}

TEST(LateParts, APartThatAnotherPartReadsStaysATensor) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), t = g.value("t", {4, 4}), y = g.output("y", {8, 4});
  matmul(g, "MatMul", x, g.constant("w", {5, 4}), t);
  g.map("Concat", y, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, 4}}, t.at({3 - at[0], at[1]})}}, t.at({at[0] - 4, at[1]}));
  });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(g.graph, fused);
}

}  // namespace
}  // namespace burin::late_parts_test
