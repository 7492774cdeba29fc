// Sizes that are multiples because the run checks it.
#include "fuse/movement/checked_sizes.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::checked_sizes_test {
namespace {

Dim size_named(const std::string& name) {
  const SymbolInfo info{name, SymbolOrigin::param, 8, 64, 32};
  return Index::symbol(std::make_shared<const SymbolInfo>(info));
}

// Rows that are halved twice and doubled again, each time put beside what they were made of.
struct Halves {
  GraphFixture g;
  Dim n = size_named("n"), units = floordiv(n + 3, 4);
  Operand x = g.input("x", {n, 6}), half = g.value("half", {floordiv(n + 1, 2), 6}),
          quarter = g.value("quarter", {units, 6}), again = g.value("again", {2 * units, 6}),
          both = g.value("both", {2 * units, 12}), z = g.output("z", {2 * units, 3}),
          end = g.output("end", {n, 6});

  explicit Halves(bool checked) {
    g.graph.symbols = {n.as_symbol()};
    if (checked) {
      check(4 * units - n);
      check(floordiv(n + 1, 2) - 2 * units);
    }
    every_second("Half", x, half);
    every_second("Quarter", half, quarter);
    g.map("Double", again, [&](const Indices& at) {
      return exp(quarter.at({floordiv(at[0], 2), at[1]}));
    });
    g.map("Concat", both, [&](const Indices& at) {
      return Expr::cases({{{{at[1], 0, 6}}, again.at(at)}}, half.at({at[0], at[1] - 6}));
    });
    KernelBuilder kernel;
    const Index m = kernel.axis(z.dim(0)), c = kernel.axis(3), k = kernel.reduce_axis(12);
    kernel.write(z, {m, c}, kernel.reduce(Combiner::sum, {k}, both.at({m, k}) * w.at({k, c})));
    g.kernel("MatMul", kernel);
    g.map("End", end, [&](const Indices& at) { return quarter.at({floordiv(at[0], 4), at[1]}); });
  }

  Operand w = g.constant("w", {12, 3});

 private:
  static Expr exp(const Expr& x) { return Expr::unary(Unary::exp, x); }
  void check(const Dim& zero) { g.graph.steps.push_back(Check{{{zero, 0, 1}}, "sizes", {}}); }
  // The sum of two neighbours; the last one may stand alone.
  void every_second(const std::string& name, const Operand& from, const Operand& to) {
    KernelBuilder kernel;
    const Index i = kernel.axis(to.dim(0)), j = kernel.axis(6), k = kernel.reduce_axis(2);
    const Expr one = Expr::cases({{{{2 * i + k, 0, from.dim(0)}}, from.at({2 * i + k, j})}},
                                 Expr::constant(Type::f32, 0.0));
    kernel.write(to, {i, j}, kernel.reduce(Combiner::sum, {k}, one));
    g.kernel(name, kernel);
  }
};

TEST(CheckedSizes, MultiplesAreWrittenInOneUnit) {
  const Halves halves(true);
  const KernelGraph tied = with_checked_sizes(halves.g.graph);
  const auto shape = [&](const Operand& one) {
    return tied.values[static_cast<size_t>(one.value())].shape[0];
  };
  EXPECT_EQ(shape(halves.half), 2 * halves.units);
  EXPECT_EQ(shape(halves.quarter), halves.units);
  EXPECT_EQ(shape(halves.again), 2 * halves.units);
  // What the caller knows, and the checks themselves, stay as they are.
  EXPECT_EQ(shape(halves.x), halves.n);
  EXPECT_EQ(shape(halves.end), halves.n);
  EXPECT_EQ(std::get<Check>(tied.steps[0]).guard, std::get<Check>(halves.g.graph.steps[0]).guard);
  for (const int64_t size : {8, 12, 64}) expect_same(halves.g.graph, tied, {{"n", size}});
  // A size that is none is refused as before.
  const RunResult refused = interpret(tied, sample_inputs(tied, {{"n", 10}}), {{"n", 10}});
  EXPECT_NE(refused.status, kRunOk);
}

// Kernels that write a part of the concatenation, or all of it.
int writers_of_both(const Halves& halves, const KernelGraph& graph) {
  int count = 0;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Write& write : kernel.writes) count += write.to == halves.both.value();
  });
  return count;
}

// What is doubled again is seen to be as large as its place, and is written there.
TEST(CheckedSizes, PartsOfEqualSizeAreWrittenInPlace) {
  const Halves halves(true), unchecked(false);
  FuseOptions options;
  options.prologue = false;  // nothing is small enough here to be worth a tensor
  const KernelGraph fused = fuse(halves.g.graph, options);
  EXPECT_EQ(writers_of_both(halves, fused), 2) << to_string(fused);
  expect_same(halves.g.graph, fused, {{"n", 16}});
  EXPECT_EQ(writers_of_both(unchecked, fuse(unchecked.g.graph, options)), 0);  // pieces are read
  options.symbols = false;
  EXPECT_EQ(writers_of_both(halves, fuse(halves.g.graph, options)), 1);
}

TEST(CheckedSizes, WithoutTheCheckNothingIsKnown) {
  const Halves halves(false);
  EXPECT_EQ(to_string(with_checked_sizes(halves.g.graph)), to_string(halves.g.graph));
  // Nor is it where something runs before.
  Halves late(true);
  std::rotate(late.g.graph.steps.begin(), late.g.graph.steps.begin() + 2,
              late.g.graph.steps.begin() + 3);
  EXPECT_EQ(to_string(with_checked_sizes(late.g.graph)), to_string(late.g.graph));
}

}  // namespace
}  // namespace burin::checked_sizes_test
