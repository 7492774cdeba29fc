// Tensors that follow from constants alone: which become constants, and which stay kernels.
#include "fuse/constants/known_values.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::known_values_test {
namespace {

Expr number(double value) { return Expr::constant(Type::f32, value); }

// y = x + mask, where a kernel makes the mask.
struct Masked {
  GraphFixture g;
  Operand mask;
  explicit Masked(Shape shape = {16, 16}) : mask(g.value("mask", shape)) {}

  // Kernels that are left behind the pass, with the addition.
  int left() {
    const Operand x = g.input("x", mask.shape()), y = g.output("y", mask.shape());
    g.map("Add", y, [&](const Indices& at) { return x.at(at) + mask.at(at); });
    Rewrites made;
    const KernelGraph after = with_known_values(g.graph, made);
    if (product(mask.shape()).constant() < 10000) expect_same(g.graph, after);
    const int kernels = count_kernels(after);
    EXPECT_EQ(made.computed.empty(), kernels == count_kernels(g.graph));
    return kernels;
  }
};

TEST(KnownValues, WhatIsAssembledOfConstantsIsOne) {
  Masked two;
  const Operand image = two.g.value("image", {16, 16}), rows = two.g.constant("rows", {16});
  two.g.map("Assign", image, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 2, 7}, {at[1], 3, 9}}, number(1)}}, number(0));
  });
  two.g.map("Compare", two.mask, [&](const Indices& at) {
    return Expr::select(compare(Binary::eq, image.at(at), rows.at({at[1]})), number(0),
                        number(-100));
  });
  EXPECT_EQ(two.left(), 1);
}

TEST(KnownValues, WhatSeveralKernelsWriteIsOne) {
  Masked stores;
  stores.g.map("Fill", stores.mask, [&](const Indices&) { return number(0); });
  KernelBuilder kernel;
  const Index i = kernel.axis(4), j = kernel.axis(3);
  kernel.write(stores.mask, {i + 2, j * 2}, number(-100));
  stores.g.kernel("Assign", kernel);
  EXPECT_EQ(stores.left(), 1);
}

TEST(KnownValues, WhatTakesNoComputingStays) {
  Masked fill;
  fill.g.map("Fill", fill.mask, [&](const Indices&) { return number(3); });
  EXPECT_EQ(fill.left(), 2);
  Masked broadcast;
  const Operand row = broadcast.g.constant("row", {16});
  broadcast.g.map("Expand", broadcast.mask, [&](const Indices& at) { return row.at({at[1]}); });
  EXPECT_EQ(broadcast.left(), 2);
}

TEST(KnownValues, WeightsOfFewBitsStay) {
  Masked narrow;
  const Operand few = narrow.g.value("few", {16, 16}, Type::i8);
  Value& constant = narrow.g.graph.values[static_cast<size_t>(few.value())];
  constant.kind = ValueKind::constant;
  constant.constant = to_constant(make_tensor(Type::i8, {16, 16}, std::vector<int64_t>(256, 7)));
  narrow.g.map("Dequantize", narrow.mask,
               [&](const Indices& at) { return Expr::cast(Type::f32, few.at(at)) * 0.5 + 1.0; });
  EXPECT_EQ(narrow.left(), 2);
}

TEST(KnownValues, WhatIsTooLargeStaysAndReadsConstants) {
  Masked large({2048, 1024});
  const Operand table = large.g.value("table", {2048});
  large.g.map("Table", table, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 5, 90}}, number(1)}}, number(2));
  });
  large.g.map("Mask", large.mask, [&](const Indices& at) {
    return table.at({at[0]}) * Expr::cast(Type::f32, Expr::index(at[1]));
  });
  EXPECT_EQ(large.left(), 2);
}

TEST(KnownValues, OutputsAreWritten) {
  GraphFixture g;
  const Operand y = g.output("y", {16, 16});
  g.map("Assign", y, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 2, 7}}, number(1)}}, number(0));
  });
  Rewrites made;
  EXPECT_EQ(count_kernels(with_known_values(g.graph, made)), 1);
}

// A choice inside of what reads it: by few conditions it is as cheap as a load.
TEST(KnownValues, ChoicesByManyConditionsAreLoads) {
  for (const int boxes : {1, 4}) {
    GraphFixture g;
    const Operand x = g.input("x", {16, 16}), y = g.output("y", {16, 16});
    g.map("Add", y, [&](const Indices& at) {
      Expr mask = number(0);
      for (int k = 0; k < boxes; ++k)
        mask =
            Expr::cases({{{{at[0], k, k + 4}, {at[1], 3 * k, 3 * k + 5}}, number(-k - 1)}}, mask);
      return x.at(at) + mask;
    });
    const KernelGraph after = hoist_constants(g.graph);
    EXPECT_EQ(after.values.size() > g.graph.values.size(), boxes > 1);
    expect_same(g.graph, after);
  }
}

// A let that has become the element of a constant is none: nothing ties the loops to its axis.
TEST(KnownValues, LetsThatAreElementsOfConstantsAreRead) {
  GraphFixture g;
  const Operand x = g.input("x", {5, 7}), w = g.constant("w", {5}, -2), y = g.output("y", {5, 7});
  KernelBuilder kernel;
  const Index i = kernel.axis(5), j = kernel.axis(7);
  const Expr factor = kernel.let({i}, w.at({i}) * w.at({i}) + number(1));
  kernel.write(y, {i, j}, (number(1) - factor) * x.at({i, j}) + factor);
  g.kernel("Resize", kernel);
  const KernelGraph after = hoist_constants(g.graph);
  ASSERT_EQ(after.steps.size(), 1U);
  EXPECT_TRUE(std::get<Kernel>(after.steps[0]).lets.empty()) << to_string(after);
  expect_same(g.graph, after);
}

}  // namespace
}  // namespace burin::known_values_test
