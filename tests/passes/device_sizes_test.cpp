// Sizes that a run finds out on a device: what becomes a kernel, what the host still reads, and
// what the checker finds.
#include "select/device_sizes.h"

#include "graph_fixture.h"
#include "kernel/procedure_kernels.h"

namespace burin {
namespace {

Symbol counted(int64_t most) {
  return std::make_shared<SymbolInfo>(SymbolInfo{"count", SymbolOrigin::run, 0, most});
}

Procedure non_zero(const Operand& x, const Operand& to, const Symbol& count,
                   const std::vector<Dim>& dims) {
  Procedure out;
  out.name = "found";
  out.function = "non_zero";
  out.element = x.type();
  out.reads = {x.value()};
  out.writes = {to.value()};
  const Dim rank = static_cast<int64_t>(dims.size());
  out.arguments = {product(dims), rank};
  out.arguments.insert(out.arguments.end(), dims.begin(), dims.end());
  out.results = {count};
  out.scratch_bytes = rank * 8;
  return out;
}

// y = the coordinates of what is not zero, in the first columns; -1 behind them. The output has
// room for all, so that the host need not know how many there are.
KernelGraph& found_in(GraphFixture& g, const std::vector<Dim>& dims) {
  const Dim elements = product(dims), rank = static_cast<int64_t>(dims.size());
  const Symbol count = counted(elements.range().hi);
  const Dim found = Index::symbol(count);
  const Operand x = g.input("x", Shape(dims.begin(), dims.end())),
                at = g.value("at", {rank, found}, Type::i64),
                y = g.output("y", {rank, elements}, Type::i64);
  g.graph.steps.emplace_back(non_zero(x, at, count, dims));
  KernelBuilder rest, kernel;
  const Index i = rest.axis(rank), j = rest.axis(elements);
  rest.write(y, {i, j}, Expr::constant(Type::i64, -1));
  g.kernel("Rest", rest);
  const Index r = kernel.axis(rank), c = kernel.axis(found);
  kernel.write(y, {r, c}, at.at({r, c}));
  g.kernel("Copy", kernel);
  return g.graph;
}

TEST(DeviceSizes, NonZeroByKernelsFindsTheSame) {
  for (const std::vector<Dim>& dims :
       {std::vector<Dim>{7}, {3, 5}, {1, 1}, {2, 3, 111}, {1000}, {256}, {513, 2}}) {
    GraphFixture g;
    const KernelGraph& graph = found_in(g, dims);
    DeviceSizes sizes;
    const KernelGraph after = find_sizes_on_device(graph, sizes);
    check_kernel_graph(after);
    ASSERT_EQ(sizes.sizes.size(), 1u);
    for_each_step(after.steps,
                  [](const Step& step) { EXPECT_FALSE(std::holds_alternative<Procedure>(step)); });
    expect_same(graph, after);
  }
}

TEST(DeviceSizes, WhatTheHostNeedsStaysAProcedure) {
  GraphFixture g;
  KernelGraph graph = found_in(g, {16});
  Check check;
  check.guard = {{Index::symbol(std::get<Procedure>(graph.steps[0]).results[0]), 0, 9}};
  graph.steps.emplace_back(check);
  DeviceSizes sizes;
  const KernelGraph after = find_sizes_on_device(graph, sizes);
  EXPECT_TRUE(sizes.sizes.empty());
  EXPECT_TRUE(std::holds_alternative<Procedure>(after.steps[0]));
}

TEST(DeviceSizes, LaunchesAreForTheMost) {
  GraphFixture g;
  DeviceSizes sizes;
  const KernelGraph after = find_sizes_on_device(found_in(g, {16}), sizes);
  const Dim found = Index::symbol(sizes.sizes[0].symbol);
  EXPECT_TRUE(depends_on_device(found * 3, sizes));
  EXPECT_EQ(launched_for(found * 3, sizes), Dim(48));
  sizes.sizes[0].on_host = "a test wants it";
  EXPECT_EQ(launched_for(found * 3, sizes), found * 3);
}

TEST(DeviceSizes, CheckerFindsWhatTheHostDoesNotKnow) {
  GraphFixture g;
  DeviceSizes sizes;
  KernelGraph after = find_sizes_on_device(found_in(g, {16}), sizes);
  std::map<int, KernelSchedule> kernels;
  for (int p = 0; p < static_cast<int>(after.steps.size()); ++p) kernels[p] = {};
  EXPECT_EQ(check_device_sizes(sizes, after, kernels), "");
  Launch launch;
  launch.attention = GroupAttention{};
  launch.dimensions = {{{0}, Index::symbol(sizes.sizes[0].symbol), 1}};
  kernels[0].launches.push_back({launch});
  EXPECT_NE(check_device_sizes(sizes, after, kernels), "");
  kernels[0].launches.clear();
  after.values[static_cast<size_t>(after.outputs[0])].shape[1] =
      Index::symbol(sizes.sizes[0].symbol);
  EXPECT_NE(check_device_sizes(sizes, after, kernels), "");
}

}  // namespace
}  // namespace burin
