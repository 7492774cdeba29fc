// Fusion: what it merges, what it must leave alone, and that the meaning stays (interpreted before
// and after).
#include "fuse/fuse.h"

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "graph_fixture.h"

namespace burin::fuse_test {
namespace {

TEST(Fuse, AChainOfMovementsBecomesTheIndexOfItsReader) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 6}), y = g.output("y", {3, 8});
  const Operand flat = g.value("flat", {24}), turned = g.value("turned", {8, 3});
  g.map("Reshape", flat, [&](const Indices& at) { return x.at(delinearize(at[0], x.shape())); });
  g.map("Transpose", turned, [&](const Indices& at) { return flat.at({at[1] * 8 + at[0]}); });
  g.map("Relu", y, [&](const Indices& at) { return max(turned.at({at[1], at[0]}), x.zero()); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1);
  expect_same(g.graph, fused);
}

TEST(Fuse, BiasActivationAndResidualJoinTheContraction) {
  GraphFixture g;
  const Dim n = sized("n");
  const Operand x = g.input("x", {n, 5}), r = g.input("r", {n, 7}), y = g.output("y", {n, 7});
  const Operand w = g.constant("w", {5, 7}), b = g.constant("b", {7}, -1);
  const Operand product = g.value("product", {n, 7}), biased = g.value("biased", {n, 7}),
                sum = g.value("sum", {n, 7});
  g.graph.symbols = {n.as_symbol()};
  matmul(g, "MatMul", x, w, product);
  g.map("AddBias", biased, [&](const Indices& at) { return product.at(at) + b.at({at[1]}); });
  g.map("AddResidual", sum, [&](const Indices& at) { return biased.at(at) + r.at(at); });
  g.map("Relu", y, [&](const Indices& at) { return max(sum.at(at), x.zero()); });
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1);
  EXPECT_EQ(std::get<Kernel>(fused.steps[0]).origins.size(), 4u);
  expect_same(g.graph, fused, {{"n", 3}});
  expect_same(g.graph, fused, {{"n", 1}});
}

TEST(Fuse, AReshapeBetweenContractionAndActivationIsNoObstacle) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 5}), y = g.output("y", {2, 3, 8});
  const Operand w = g.constant("w", {5, 8}), product = g.value("product", {6, 8}),
                shaped = g.value("shaped", {2, 3, 8});
  matmul(g, "MatMul", x, w, product);
  g.map("Reshape", shaped, [&](const Indices& at) {
    return product.at({at[0] * 3 + at[1], at[2]});
  });
  g.map("Relu", y, [&](const Indices& at) { return max(shaped.at(at), x.zero()); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1);
  expect_same(g.graph, fused);
}

TEST(Fuse, PartsOfAConcatenationAreWrittenInPlace) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), y = g.output("y", {4, 9});
  const Operand w = g.constant("w", {5, 6}), left = g.value("left", {4, 6}),
                right = g.value("right", {4, 3});
  matmul(g, "MatMul", x, w, left);
  g.map("Neg", right, [&](const Indices& at) { return -x.at({at[0], at[1] + 1}); });
  g.map("Concat", y, [&](const Indices& at) {
    return Expr::cases({{{{at[1], 0, 6}}, left.at(at)}}, right.at({at[0], at[1] - 6}));
  });
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 2);
  for_each_kernel(fused.steps,
                  [&](const Kernel& kernel) { EXPECT_EQ(kernel.writes[0].to, y.value()); });
  expect_same(g.graph, fused);
}

TEST(Fuse, AValueThatIsReadTwiceStaysATensor) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), y = g.output("y", {4, 6}), z = g.output("z", {4, 6});
  const Operand w = g.constant("w", {5, 6}), product = g.value("product", {4, 6});
  matmul(g, "MatMul", x, w, product);
  g.map("Relu", y, [&](const Indices& at) { return max(product.at(at), x.zero()); });
  g.map("Neg", z, [&](const Indices& at) { return -product.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 3);
  expect_same(g.graph, fused);
}

TEST(Fuse, AReadingThatIsNotOneToOneIsNoEpilogue) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), y = g.output("y", {3, 4, 6});
  const Operand w = g.constant("w", {5, 6}), product = g.value("product", {4, 6});
  matmul(g, "MatMul", x, w, product);
  g.map("Expand", y, [&](const Indices& at) { return product.at({at[1], at[2]}) * 2.0; });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2);
  expect_same(g.graph, fused);
}

TEST(Fuse, StateThatChangesIsNotReadLater) {
  // Two values that swap in every iteration: the copies at the end must not be merged into each
  // other.
  GraphFixture g;
  const Operand x = g.input("x", {3}), y = g.output("y", {3});
  const Operand a = g.value("a", {3}), b = g.value("b", {3}), keep = g.value("keep", {3});
  g.map("Copy", a, [&](const Indices& at) { return x.at(at); });
  g.map("Copy", b, [&](const Indices& at) { return x.at(at) * 3.0; });
  auto loop = std::make_shared<Loop>();
  SymbolInfo info;
  info.name = "i";
  info.origin = SymbolOrigin::iter;
  loop->iteration = std::make_shared<const SymbolInfo>(info);
  loop->trips = 5;
  loop->condition = Expr::boolean(true);
  const auto copy = [&](const Operand& to, const Operand& from) {
    KernelBuilder builder;
    const Indices at = builder.axes(to.shape());
    builder.write(to, at, from.at(at));
    loop->body.push_back(GraphFixture::named("Copy", builder));
  };
  copy(keep, a);
  copy(a, b);
  copy(b, keep);
  g.graph.steps.push_back(loop);
  g.map("Sub", y, [&](const Indices& at) { return a.at(at) - b.at(at); });
  expect_same(g.graph, fuse(g.graph, {}));
}

TEST(Fuse, ConstantSubexpressionsAreComputedOnce) {
  GraphFixture g;
  const Operand x = g.input("x", {2, 6}), y = g.output("y", {2, 6});
  const Operand variance = g.constant("variance", {6}, 1);
  g.map("Norm", y, [&](const Indices& at) {
    return x.at(at) * (1.0 / Expr::unary(Unary::sqrt, variance.at({at[1]}) + 0.5));
  });
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1);
  visit(std::get<Kernel>(fused.steps[0]).writes[0].value, [](const ExprNode& node) {
    EXPECT_NE(node.kind, ExprKind::unary) << "the square root is left to the run";
  });
  expect_same(g.graph, fused);
}

TEST(Fuse, DeadStepsGoAndChecksStay) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), y = g.output("y", {4}), unused = g.value("unused", {4});
  g.map("Neg", unused, [&](const Indices& at) { return -x.at(at); });
  g.graph.steps.push_back(Check{{{sized("n"), 3, 4}}, "a promise of the file", {}});
  g.map("Relu", y, [&](const Indices& at) { return max(x.at(at), x.zero()); });
  const KernelGraph left = remove_dead(g.graph);
  ASSERT_EQ(left.steps.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Check>(left.steps[0]));
}

// Every rewrite switched off alone, and all of them: the same results.
// x * x over and over: the tree of the result has 2^n leaves, though only n nodes differ.
TEST(Fuse, KernelsStaySmallHoweverOftenValuesAreReused) {
  GraphFixture g;
  const int squares = 40;
  Operand last = g.input("x", {4, 6});
  for (int i = 1; i <= squares; ++i) {
    const std::string name = "square" + std::to_string(i);
    const Operand next = i == squares ? g.output("y", {4, 6}) : g.value(name, {4, 6});
    g.map("Mul", next, [&](const Indices& at) { return last.at(at) * last.at(at); });
    last = next;
  }
  FuseOptions options;
  options.most_nodes = 64;
  const KernelGraph fused = fuse(g.graph, options);
  // 2^5 leaves and 2^5 - 1 products fit into 64 nodes: five squares a kernel.
  EXPECT_EQ(count_kernels(fused), squares / 5);
  for (const Step& step : fused.steps) {
    const Kernel& kernel = std::get<Kernel>(step);
    EXPECT_LE(tree_size(kernel.writes[0].value), 64);
  }
  expect_same(g.graph, fused);
}

TEST(Fuse, WithoutSymbolsOnlyWhatNeedsNoSizesIsJoined) {
  GraphFixture g;
  const Dim n = sized("N");
  const auto chain = [&](const Dim& rows, const std::string& name) {
    const Operand x = g.input("x" + name, {rows, 6});
    const Operand relu = g.value("relu" + name, {rows, 6}),
                  turned = g.value("turned" + name, {6, rows});
    const Operand y = g.output("y" + name, {6, rows});
    g.map("Relu", relu, [&](const Indices& at) { return max(x.at(at), x.zero()); });
    g.map("Transpose", turned, [&](const Indices& at) { return relu.at({at[1], at[0]}); });
    g.map("Neg", y, [&](const Indices& at) { return -turned.at(at); });
  };
  chain(5, "known");
  chain(n, "open");
  EXPECT_EQ(count_kernels(fuse(g.graph, {})), 2);
  FuseOptions options;
  options.symbols = false;
  const KernelGraph fused = fuse(g.graph, options);
  // The three of numbers are one; of the others the transposition stays apart from what is before
  // it.
  EXPECT_GT(count_kernels(fused), 2);
  EXPECT_LT(count_kernels(fused), 5);
  g.graph.symbols = {n.as_symbol()};
  KernelGraph run = fused;
  run.symbols = g.graph.symbols;
  expect_same(g.graph, run, {{"N", 7}});
}

TEST(Fuse, EverySwitchGivesTheSame) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 6}), y = g.output("y", {4, 12});
  const Operand w = g.constant("w", {6, 8}), product = g.value("product", {4, 8}),
                act = g.value("act", {4, 8});
  const Operand turned = g.value("turned", {6, 4}), back = g.value("back", {4, 4});
  matmul(g, "MatMul", x, w, product);
  g.map("Relu", act, [&](const Indices& at) { return max(product.at(at), x.zero()); });
  g.map("Transpose", turned, [&](const Indices& at) { return x.at({at[1], at[0]}); });
  g.map("Slice", back, [&](const Indices& at) { return turned.at({at[1] + 1, at[0]}) * 2.0; });
  g.map("Concat", y, [&](const Indices& at) {
    return Expr::cases({{{{at[1], 0, 8}}, act.at(at)}}, back.at({at[0], at[1] - 8}));
  });
  for (int bits = 0; bits < 128; ++bits) {
    FuseOptions options;
    options.movement = bits & 1;
    options.epilogue = bits & 2;
    options.prologue = bits & 4;
    options.concat_in_place = bits & 8;
    options.hoist_constants = bits & 16;
    options.symbols = bits & 32;
    options.simplify = !(bits & 64);
    expect_same(g.graph, fuse(g.graph, options));
  }
}

// A reshape and its inverse: nothing, or what substitution leaves of both.
TEST(Fuse, WithoutSimplifyingIndicesKeepTheirDivisions) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 6}), y = g.output("y", {4, 6});
  const Operand flat = g.value("flat", {24}), back = g.value("back", {4, 6});
  g.map("Reshape", flat, [&](const Indices& at) {
    return x.at({floordiv(at[0], 6), mod(at[0], 6)});
  });
  g.map("Reshape_1", back, [&](const Indices& at) { return flat.at({at[0] * 6 + at[1]}); });
  g.map("Relu", y, [&](const Indices& at) { return max(back.at(at), x.zero()); });
  const auto fused = [&](bool simplify) {
    FuseOptions options;
    options.simplify = simplify;
    const KernelGraph graph = fuse(g.graph, options);
    expect_same(g.graph, graph);
    EXPECT_EQ(count_kernels(graph), 1);
    return to_string(graph);
  };
  EXPECT_NE(fused(false).find("// 6"), std::string::npos) << fused(false);
  EXPECT_EQ(fused(true).find("// 6"), std::string::npos) << fused(true);
}

}  // namespace
}  // namespace burin::fuse_test
