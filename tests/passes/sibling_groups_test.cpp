// Products of one input that are read one after the other, as the blocks of a network do with the
// embedding of a time step.
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::sibling_groups_test {
namespace {

// Each block is the product of what came before, with a row added that is made from `e`.
struct Blocks {
  GraphFixture g;
  Operand e, state;
  explicit Blocks(int count, bool joined = false)
      : e(g.input("e", {1, 16})), state(g.input("x", {6, 8})) {
    for (int k = 0; k < count; ++k) {
      const std::string name = std::to_string(k);
      const int64_t columns = 4 + 2 * k;
      const Operand row =
          linear(g, "row" + name, e, g.constant("w" + name, {16, columns}, k),
                 g.constant("b" + name, {columns}, -k), g.value("row" + name, {1, columns}));
      if (joined) {
        const Operand y = g.output("y" + name, {1, columns + 16});
        g.map("Concat", y, [&](const Indices& at) {
          return Expr::cases({{{{at[1], 0, columns}}, row.at(at)}}, e.at({0, at[1] - columns}));
        });
        continue;
      }
      const bool last = k + 1 == count;
      const Operand sum = g.value("sum" + name, {6, columns});
      const Operand next = last ? g.output("y", {6, columns}) : g.value("y" + name, {6, columns});
      matmul(g, "MatMul" + name, state,
             g.constant("v" + name, {state.dim(1).constant(), columns}, 1), sum);
      g.map("Add" + name, next, [&](const Indices& at) { return sum.at(at) + row.at({0, at[1]}); });
      state = next;
    }
  }
};

FuseOptions near(int64_t bytes) {
  FuseOptions options;
  options.working_set_bytes = bytes;
  return options;
}

TEST(SiblingGroups, RowsOfOneEmbeddingAreOneProductWhereTheyStayNear) {
  const Blocks blocks(3);
  EXPECT_EQ(count_kernels(fuse(blocks.g.graph, near(0))), 6);
  // 4 + 6 + 8 elements.
  EXPECT_EQ(count_kernels(fuse(blocks.g.graph, near(18 * 4 - 1))), 6);
  const KernelGraph fused = fuse(blocks.g.graph, near(18 * 4));
  ASSERT_EQ(count_kernels(fused), 4) << to_string(fused);
  const Kernel& product = std::get<Kernel>(fused.steps[0]);
  EXPECT_EQ(fused.values[static_cast<size_t>(product.writes[0].to)].shape,
            (std::vector<Dim>{1, 18}));
  expect_same(blocks.g.graph, fused);
}

TEST(SiblingGroups, WhatIsMadeInsideOfAnotherTensorStaysThere) {
  const Blocks blocks(3, true);
  const KernelGraph fused = fuse(blocks.g.graph, near(1 << 20));
  int products = 0;
  for_each_kernel(fused.steps, [&](const Kernel& kernel) { products += !kernel.lets.empty(); });
  EXPECT_EQ(products, 3) << to_string(fused);
  expect_same(blocks.g.graph, fused);
}

// A past of keys or values whose length the run finds out behind the products: what is put behind
// it is copied, by whom the past is, and may be a part of one product.
TEST(SiblingGroups, WhatIsCopiedIntoAnotherTensorIsMadeWithTheOthers) {
  for (const bool late : {false, true}) {
    GraphFixture g;
    const Operand e = g.input("e", {2, 16}), past = g.input("past", {3, 8}),
                  count = g.input("count", {1}, Type::i64);
    const Operand q = g.output("q", {2, 8}), raw = g.value("raw", {2, 8}), v = g.value("v", {2, 8});
    matmul(g, "Q", e, g.constant("w_q", {16, 8}, 1), raw);
    matmul(g, "V", e, g.constant("w_v", {16, 8}, 2), v);
    g.map("Turned", q, [&](const Indices& at) { return raw.at(at) - raw.at({at[0], 7 - at[1]}); });
    SymbolInfo info;
    info.name = "skipped";
    info.origin = SymbolOrigin::run;
    info.min = 0;
    info.max = 3;
    const Dim skipped = Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
    const Dim first = late ? skipped : Dim(1);
    if (late) g.graph.steps.push_back(Bind{skipped.as_symbol(), count.at({0}), {{"Bind", "Bind"}}});
    const Operand all = g.output("all", {5 - first, 8});
    g.map("Concat", all, [&](const Indices& at) {
      const Index row = at[0] - (3 - first);
      return Expr::cases({{{{at[0], 3 - first, 5 - first}}, v.at({row, at[1]})}},
                         past.at({min(at[0] + first, 2), at[1]}));
    });
    const KernelGraph fused = fuse(g.graph, near(1 << 20));
    int products = 0;
    for_each_kernel(fused.steps, [&](const Kernel& kernel) { products += !kernel.lets.empty(); });
    EXPECT_EQ(products, late ? 1 : 2) << to_string(fused);
  }
}

}  // namespace
}  // namespace burin::sibling_groups_test
