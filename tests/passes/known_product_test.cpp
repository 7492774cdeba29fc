// Sums of products of constants, computed while generating: the bits of the interpreter.
#include "fuse/constants/known_product.h"

#include <random>

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::known_product_test {
namespace {

int count_lets(const KernelGraph& graph) {
  int lets = 0;
  for_each_kernel(graph.steps,
                  [&](const Kernel& kernel) { lets += static_cast<int>(kernel.lets.size()); });
  return lets;
}

KernelGraph computed(const KernelGraph& graph, int expected, int64_t per_byte = 1) {
  Rewrites made;
  KernelGraph out = with_known_products(graph, per_byte, made);
  check_kernel_graph(out);
  EXPECT_EQ(made.known_products, expected) << to_string(out);
  return out;
}

// Enough constants that nobody minds some more.
void add_ballast(GraphFixture& g) {
  const Operand ballast = g.constant("ballast", {4096});
  g.map("Read", g.output("read", {4096}), [&](const Indices& at) { return ballast.at(at); });
}

// y = (positions w + bias) + x
struct Projection {
  explicit Projection(int64_t rows = 6, int64_t depth = 8, int64_t columns = 5) {
    const Operand x = g.input("x", {rows, columns}), y = g.output("y", {rows, columns});
    const Operand p = g.constant("positions", {rows, depth}),
                  w = g.constant("w", {depth, columns}, -1),
                  bias = g.constant("bias", {columns}, 3), product = g.value("p", {rows, columns});
    KernelBuilder kernel;
    const Index m = kernel.axis(rows), n = kernel.axis(columns), k = kernel.reduce_axis(depth);
    kernel.write(product, {m, n},
                 kernel.reduce(Combiner::sum, {k}, p.at({m, k}) * w.at({k, n})) + bias.at({n}));
    g.kernel("p", kernel);
    g.map("Add", y, [&](const Indices& at) { return product.at(at) + x.at(at); });
  }
  GraphFixture g;
};

TEST(KnownProduct, AProjectionOfConstantsIsAConstant) {
  Projection model;
  Rewrites made;
  const KernelGraph out = with_known_products(model.g.graph, 1, made);
  check_kernel_graph(out);
  EXPECT_EQ(made.known_products, 1);
  EXPECT_EQ(made.computed, (std::vector<Origin>{{"p", "p"}}));
  EXPECT_EQ(count_kernels(out), 1) << to_string(out);
  expect_same(model.g.graph, out);
  // Within the whole stage the sum is in the product's kernel, which reads the constant then.
  made = {};
  const KernelGraph fused = fuse(model.g.graph, {}, &made);
  EXPECT_EQ(made.known_products, 1);
  EXPECT_TRUE(made.computed.empty());
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(model.g.graph, fused);
  FuseOptions without;
  without.known_products = false;
  made = {};
  EXPECT_EQ(count_lets(fuse(model.g.graph, without, &made)), 1);
  EXPECT_EQ(made, Rewrites{});
}

// 40 x 8 and 8 x 40: 12800 multiply-adds for 6400 bytes instead of 2720 that are not read any more.
TEST(KnownProduct, WhatIsComputedFasterThanReadStays) {
  Projection model(40, 8, 40);
  add_ballast(model.g);
  computed(model.g.graph, 1, 3);
  computed(model.g.graph, 0, 4);
}

// 6 x 8 and 8 x 5 are more than their product.
TEST(KnownProduct, WhatTakesNoMoreBytesIsComputed) { computed(Projection().g.graph, 1, 1'000'000); }

// 8 x 2000 and 2000 x 8: 16000 constants, whose product has 4,000,000.
TEST(KnownProduct, ConstantsDoNotGrowByMoreThanAHalf) {
  computed(Projection(2000, 8, 2000).g.graph, 0);
  computed(Projection(20, 20, 20).g.graph, 1);
}

// Positions and weights of 8 bits, whose sum is quantised: 144 bytes are a constant, where 576
// of sums that something of the run is added to would be too many.
TEST(KnownProduct, IntegersAreSummedToo) {
  for (const bool of_run : {false, true}) {
    GraphFixture g;
    const auto bytes = [&](const std::string& name, const std::vector<int64_t>& shape, Type type) {
      const Operand operand = g.constant(name, shape);
      Value& value = g.graph.values[static_cast<size_t>(operand.value())];
      HostTensor tensor = make_tensor(type, shape);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.set(i, {0, i % 2 == 0 ? lowest(type) : highest(type) - i % 7});
      value.type = type;
      value.constant = to_constant(tensor);
      return Operand(operand.value(), type, operand.shape());
    };
    const Operand p = bytes("positions", {12, 9}, Type::u8), w = bytes("w", {9, 12}, Type::i8),
                  x = g.input("x", {12, 12}), product = g.value("p", {12, 12}, Type::u8);
    KernelBuilder kernel;
    const Index m = kernel.axis(12), n = kernel.axis(12), k = kernel.reduce_axis(9);
    const Expr zero = Expr::constant(Type::i32, 117);
    const Expr sum =
        Expr::cast(Type::f32, kernel.reduce(Combiner::sum, {k},
                                            (Expr::cast(Type::i32, p.at({m, k})) - zero) *
                                                Expr::cast(Type::i32, w.at({k, n}))));
    const Expr added = of_run ? sum + x.at({m, n}) : sum;
    kernel.write(product, {m, n},
                 Expr::cast(Type::u8, Expr::unary(Unary::round, added * 0.01), CastMode::saturate));
    g.kernel("p", kernel);
    g.map("Add", g.output("y", {12, 12}),
          [&](const Indices& at) { return Expr::cast(Type::f32, product.at(at)) + x.at(at); });
    const KernelGraph out = computed(g.graph, of_run ? 0 : 1);
    EXPECT_EQ(count_kernels(out), of_run ? 2 : 1);
    expect_same(g.graph, out);
  }
}

// 2048^3 multiply-adds take too long.
TEST(KnownProduct, WorkHasABound) { computed(Projection(2048, 2048, 2048).g.graph, 0); }

TEST(KnownProduct, AFactorOfTheRunStays) {
  GraphFixture g;
  add_ballast(g);
  const Operand x = g.input("x", {4, 8}), w = g.constant("w", {8, 5}), y = g.output("y", {4, 5});
  KernelBuilder kernel;
  const Index m = kernel.axis(4), n = kernel.axis(5), k = kernel.reduce_axis(8);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * w.at({k, n})));
  g.kernel("y", kernel);
  computed(g.graph, 0);
}

// The table's rows from `length` - 1 on, as many as the input is long: all rows are projected now.
TEST(KnownProduct, RowsOfTheRunAreReadFromTheProductOfAllRows) {
  GraphFixture g;
  add_ballast(g);
  SymbolInfo info;
  info.name = "length";
  info.max = 9;
  const Symbol symbol = std::make_shared<const SymbolInfo>(info);
  const Dim length = Index::symbol(symbol);
  g.graph.symbols = {symbol};
  const Operand x = g.input("x", {length, 5}), table = g.constant("table", {17, 8}),
                w = g.constant("w", {8, 5}, -1), y = g.output("y", {length, 5});
  KernelBuilder kernel;
  const Index m = kernel.axis(length), n = kernel.axis(5), k = kernel.reduce_axis(8);
  const Expr sum = kernel.reduce(Combiner::sum, {k}, table.at({m - length + 9, k}) * w.at({k, n}));
  kernel.write(y, {m, n}, sum * x.at({m, n}));
  g.kernel("y", kernel);
  const KernelGraph out = computed(g.graph, 1);
  EXPECT_EQ(count_lets(out), 0);
  for (const int64_t at : {1, 4, 9}) expect_same(g.graph, out, {{"length", at}});
}

// Batches, windows, transposed factors, widened halves: whatever the axes are, the same bits.
TEST(KnownProduct, RandomProductsAgreeWithTheInterpreter) {
  std::mt19937 random(7);
  const auto draw = [&](int64_t most) {
    return std::uniform_int_distribution<int64_t>(1, most)(random);
  };
  for (int round = 0; round < 60; ++round) {
    GraphFixture g;
    add_ballast(g);
    const int64_t b = draw(3), m = draw(7), n = draw(7), k = draw(9), t = draw(3), stride = draw(2);
    const bool batch_in_b = draw(2) == 1, swap = draw(2) == 1, transpose = draw(2) == 1;
    const int64_t wide = (m - 1) * stride + t;
    const Operand one = g.constant("one", {b, k, wide}, -1.5),
                  other = g.constant("other", {batch_in_b ? b : 1, n, k, t}, 0.25),
                  x = g.input("x", {n}), y = g.output("y", {b, m, n});
    KernelBuilder kernel;
    const Index i = kernel.axis(b), r = kernel.axis(m), c = kernel.axis(n);
    const Index d = kernel.reduce_axis(k), tap = kernel.reduce_axis(t);
    const Expr left = one.at({i, d, r * stride + tap}) * 0.3,
               right = other.at({batch_in_b ? i : Index(0), c, d, tap});
    const Expr sum =
        transpose ? kernel.reduce(Combiner::sum, {tap, d}, swap ? right * left : left * right)
                  : kernel.reduce(Combiner::sum, {d, tap}, swap ? right * left : left * right);
    kernel.write(y, {i, r, c}, max(sum, x.at({c})));
    g.kernel("y", kernel);
    const int64_t elements = b * m * n, read = b * k * wide + (batch_in_b ? b : 1) * n * k * t;
    const KernelGraph out =
        computed(g.graph, elements * k * t >= 4 * std::max<int64_t>(0, elements - read) ? 1 : 0);
    expect_same(g.graph, out);
  }
}

}  // namespace
}  // namespace burin::known_product_test
