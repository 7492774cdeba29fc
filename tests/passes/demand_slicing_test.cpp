// Tensors of which only a part is read: what their makers compute, and where all of it stays.
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::demand_slicing_test {
namespace {

// A product [rows, 6], of which the next one takes `count` rows from `first` on.
struct Sliced {
  GraphFixture g;
  Operand x, product, y;
  Sliced(const Dim& rows, const Dim& first, const Dim& count)
      : x(g.input("x", {rows, 5})),
        product(g.value("product", {rows, 6})),
        y(g.output("y", {count, 4})) {
    const Operand part = g.value("part", {count, 6});
    matmul(g, "MatMul", x, g.constant("w", {5, 6}), product);
    g.map("Slice", part, [&](const Indices& at) { return product.at({at[0] + first, at[1]}); });
    matmul(g, "MatMul_1", part, g.constant("v", {6, 4}), y);
    rows.collect_symbols(g.graph.symbols);
  }
};

std::vector<Dim> shape_of(const KernelGraph& graph, const std::string& name) {
  for (const Value& value : graph.values) {
    if (value.name == name) return value.shape;
  }
  return {};
}

TEST(DemandSlicing, RowsThatNobodyReadsAreNotComputed) {
  const Sliced model(9, 2, 3);
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_EQ(shape_of(fused, "product"), (std::vector<Dim>{3, 6})) << to_string(fused);
  expect_same(model.g.graph, fused);
  FuseOptions off;
  off.demand_slicing = false;
  EXPECT_EQ(shape_of(fuse(model.g.graph, off), "product"), (std::vector<Dim>{9, 6}));
}

TEST(DemandSlicing, OneRowIsNoAxis) {
  const Sliced model(9, 8, 1);
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_EQ(shape_of(fused, "product"), (std::vector<Dim>{1, 6})) << to_string(fused);
  check_kernel_graph(fused);
  expect_same(model.g.graph, fused);
}

// What a classifier reads of its last layer: two products further up there is one row, too. The
// input of the residual sum is read whole by the other product.
TEST(DemandSlicing, PartsOfPartsAreFollowedUpwards) {
  GraphFixture g;
  const Operand x = g.input("x", {7, 6}), y = g.output("y", {1, 4}), z = g.output("z", {7, 3}),
                a = g.value("a", {7, 6}), b = g.value("b", {7, 8}), c = g.value("c", {7, 6}),
                row = g.value("row", {1, 6});
  matmul(g, "MatMul", x, g.constant("u", {6, 6}), a);
  matmul(g, "MatMul_1", a, g.constant("v", {6, 8}), b);
  matmul(g, "MatMul_2", b, g.constant("w", {8, 6}, 1), c);
  matmul(g, "MatMul_3", a, g.constant("s", {6, 3}, 2), z);
  g.map("Slice", row, [&](const Indices& at) { return c.at({0, at[1]}) + a.at({0, at[1]}); });
  matmul(g, "MatMul_4", row, g.constant("t", {6, 4}), y);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(shape_of(fused, "b"), (std::vector<Dim>{1, 8})) << to_string(fused);
  EXPECT_EQ(shape_of(fused, "a"), (std::vector<Dim>{7, 6}));
  expect_same(g.graph, fused);
}

// Two readers take rows 1 to 3 and 4 to 6: the product makes 1 to 6.
TEST(DemandSlicing, AllReadersCount) {
  GraphFixture g;
  const Operand x = g.input("x", {9, 5}), product = g.value("product", {9, 6});
  matmul(g, "MatMul", x, g.constant("w", {5, 6}), product);
  for (const int first : {1, 4}) {
    const std::string name = std::to_string(first);
    const Operand part = g.value("part" + name, {3, 6}), y = g.output("y" + name, {3, 4});
    g.map("Slice" + name, part, [&](const Indices& at) {
      return product.at({at[0] + first, at[1]});
    });
    matmul(g, "MatMul" + name, part, g.constant("v" + name, {6, 4}, first), y);
  }
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(shape_of(fused, "product"), (std::vector<Dim>{6, 6})) << to_string(fused);
  expect_same(g.graph, fused);
}

TEST(DemandSlicing, SizesOfTheCaller) {
  const Dim rows = Index::symbol(
      std::make_shared<SymbolInfo>(SymbolInfo{"rows", SymbolOrigin::param, 3, 100, 20}));
  const Sliced last(rows, rows - 1, 1), most(rows, 1, rows - 2);
  const KernelGraph one = fuse(last.g.graph, {}), many = fuse(most.g.graph, {});
  EXPECT_EQ(shape_of(one, "product"), (std::vector<Dim>{1, 6})) << to_string(one);
  EXPECT_EQ(shape_of(many, "product"), (std::vector<Dim>{rows - 2, 6})) << to_string(many);
  for (const int64_t size : {3, 17}) {
    expect_same(last.g.graph, one, {{"rows", size}});
    expect_same(most.g.graph, many, {{"rows", size}});
  }
}

TEST(DemandSlicing, RowsThatDataPickAreAllMade) {
  GraphFixture g;
  const Operand x = g.input("x", {9, 5}), at = g.input("at", {3}, Type::i64),
                product = g.value("product", {9, 6}), part = g.value("part", {3, 6}),
                y = g.output("y", {3, 4});
  matmul(g, "MatMul", x, g.constant("w", {5, 6}), product);
  g.map("Gather", part, [&](const Indices& i) {
    return product.at({Index::data(at.at({i[0]}).ptr(), {0, 8}), i[1]});
  });
  matmul(g, "MatMul_1", part, g.constant("v", {6, 4}), y);
  EXPECT_EQ(shape_of(fuse(g.graph, {}), "product"), (std::vector<Dim>{9, 6}));
}

// A state that steps run through is made whole, whichever of it is read.
TEST(DemandSlicing, StepsAreNotLeftOut) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 3}), y = g.output("y", {3}), all = g.value("all", {8, 3});
  KernelBuilder kernel;
  const Index t = kernel.axis(8, {}, AxisKind::sequential), j = kernel.axis(3);
  kernel.write(all, {t, j},
               Expr::cases({{{{t, 0, 1}}, x.at({t, j})}}, all.at({t - 1, j}) + x.at({t, j})));
  g.kernel("Steps", kernel);
  g.map("Slice", y, [&](const Indices& at) { return all.at({7, at[0]}) * 2.0; });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(shape_of(fused, "all"), (std::vector<Dim>{8, 3})) << to_string(fused);
  expect_same(g.graph, fused);
}

}  // namespace
}  // namespace burin::demand_slicing_test
