// Sizes that a run finds out on a device: what becomes a kernel, what the host still reads, and
// what the checker finds.
#include "select/joint/device_sizes.h"

#include <cmath>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "kernel/procedures/procedure_kernels.h"

namespace burin::device_sizes_test {
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

KernelGraph found_on_device(KernelGraph graph, DeviceSizes& sizes) {
  return find_sizes_on_device(
      std::move(graph), sizes,
      load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/nvidia-h200.json"));
}

TEST(DeviceSizes, NonZeroByKernelsFindsTheSame) {
  for (const std::vector<Dim>& dims :
       {std::vector<Dim>{7}, {3, 5}, {1, 1}, {2, 3, 111}, {1000}, {256}, {513, 2}}) {
    GraphFixture g;
    const KernelGraph& graph = found_in(g, dims);
    DeviceSizes sizes;
    const KernelGraph after = found_on_device(graph, sizes);
    check_kernel_graph(after);
    ASSERT_EQ(sizes.sizes.size(), 1u);
    for_each_step(after.steps,
                  [](const Step& step) { EXPECT_FALSE(std::holds_alternative<Procedure>(step)); });
    expect_same(graph, after);
  }
}

// It is found by kernels all the same; the host reads one number.
TEST(DeviceSizes, WhatTheHostNeedsIsNotOfTheDevice) {
  GraphFixture g;
  KernelGraph graph = found_in(g, {16});
  const Index found = Index::symbol(std::get<Procedure>(graph.steps[0]).results[0]);
  const auto branch = std::make_shared<If>();
  branch->condition = compare(Binary::lt, Expr::index(found), Expr::index(9));
  graph.steps.emplace_back(branch);
  DeviceSizes sizes;
  const KernelGraph after = found_on_device(graph, sizes);
  check_kernel_graph(after);
  EXPECT_TRUE(sizes.sizes.empty());
  int binds = 0;
  for (const Step& step : after.steps) {
    EXPECT_FALSE(std::holds_alternative<Procedure>(step));
    binds += std::holds_alternative<Bind>(step);
  }
  EXPECT_EQ(binds, 1);
  expect_same(graph, after);
}

// Two checks by flags and a kernel behind both: the host reads the second flag, which is 1 only
// where the first is; or neither, and then the kernel needs a gate.
TEST(DeviceSizes, AFlagThatTheHostReadsSettlesThoseBeforeIt) {
  GraphFixture g;
  const Operand x = g.input("x", {16}), flags = g.value("flags", {4}, Type::i64),
                y = g.output("y", {16});
  DeviceSizes sizes;
  for (const int number : {0, 1}) {
    const Symbol flag = std::make_shared<SymbolInfo>(
        SymbolInfo{"holds" + std::to_string(number), SymbolOrigin::run, 0, 1});
    sizes.sizes.push_back({flag, flags.value(), "", "rows", number * 2, number});
    KernelBuilder made;
    made.write(flags, {made.axis(2) + number * 2}, Expr::constant(Type::i64, 1));
    g.kernel("Flag", made);
    g.graph.steps.emplace_back(Bind{flag, flags.at({Index(number * 2)}), {}});
    g.graph.steps.emplace_back(Check{{{Index::symbol(flag), 1, 2}}, "rows", {}});
  }
  KernelBuilder behind;
  const Index i = behind.axis(16);
  behind.write(y, {i}, x.at({i}));
  g.kernel("Copy", behind);
  const std::map<StepId, KernelSchedule> kernels = {
      {StepId{0}, {}}, {StepId{3}, {}}, {StepId{6}, {}}};
  g.graph = with_step_ids(std::move(g.graph));
  EXPECT_NE(check_device_sizes(sizes, g.graph, kernels).find("where a check before it failed"),
            std::string::npos);
  sizes.sizes[1].on_host = "a joint launch depends on it";
  EXPECT_EQ(check_device_sizes(sizes, g.graph, kernels), "");
}

// The k largest or smallest of lines along a dimension, with equal ones among them.
KernelGraph& best_of(GraphFixture& g, const std::vector<int64_t>& dims, size_t axis, int64_t k,
                     bool largest, Type type) {
  Shape shape(dims.begin(), dims.end()), kept = shape;
  kept[axis] = k;
  const Operand x = g.input("x", shape, type), best = g.output("best", kept, type),
                at = g.output("at", kept, Type::i64);
  const auto middle = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  Procedure out;
  out.name = "best";
  out.function = "top_k";
  out.element = type;
  out.reads = {x.value()};
  out.writes = {best.value(), at.value()};
  out.arguments = {product({shape.begin(), middle}), dims[axis], product({middle + 1, shape.end()}),
                   k, largest ? 1 : 0};
  out.scratch_bytes = k * 8;
  g.graph.steps.emplace_back(out);
  return g.graph;
}

TEST(DeviceSizes, TopKByKernelsFindsTheSame) {
  for (const bool largest : {true, false}) {
    for (const Type type : {Type::f32, Type::f16, Type::i32, Type::u8}) {
      GraphFixture rows, middle, one, none;
      for (const KernelGraph* graph :
           {&best_of(rows, {3, 50}, 1, 7, largest, type), &best_of(one, {1}, 0, 1, largest, type),
            &best_of(middle, {2, 60, 3}, 1, 60, largest, type),
            &best_of(none, {4, 5}, 0, 0, largest, type)}) {
        DeviceSizes sizes;
        const KernelGraph after = found_on_device(*graph, sizes);
        check_kernel_graph(after);
        ASSERT_EQ(after.steps.size(), 1u);
        EXPECT_TRUE(std::holds_alternative<Kernel>(after.steps[0]));
        expect_same(*graph, after);
      }
    }
  }
}

TEST(DeviceSizes, TopKByKernelsOrdersWhatIsNoNumber) {
  const double nan = std::nan(""), inf = INFINITY;
  for (const bool largest : {true, false}) {
    GraphFixture g;
    const KernelGraph graph = best_of(g, {8}, 0, 8, largest, Type::f32);
    HostTensor x = make_tensor(Type::f32, {8});
    const double numbers[] = {1, nan, -inf, inf, nan, 0.0, -0.0, 1};
    for (int64_t i = 0; i < 8; ++i) x.set(i, {numbers[i], 0});
    DeviceSizes sizes;
    const RunResult a = interpret(graph, {x}, {}),
                    b = interpret(found_on_device(graph, sizes), {x}, {});
    EXPECT_EQ(a.outputs[1], b.outputs[1]);
  }
}

// Lines that are cut into blocks, the last of which has fewer elements than are wanted.
TEST(DeviceSizes, TopKOfLongLinesGoesByBlocks) {
  for (const bool largest : {true, false}) {
    for (const Type type : {Type::f32, Type::u8}) {
      GraphFixture rows, middle, one;
      for (const KernelGraph* graph : {&best_of(rows, {2, 1025}, 1, 5, largest, type),
                                       &best_of(one, {700}, 0, 1, largest, type),
                                       &best_of(middle, {2, 999, 3}, 1, 30, largest, type)}) {
        DeviceSizes sizes;
        const KernelGraph after = found_on_device(*graph, sizes);
        check_kernel_graph(after);
        EXPECT_EQ(count_kernels(after), 2);
        EXPECT_EQ(after.steps.size(), 2u);
        expect_same(*graph, after);
      }
    }
  }
}

// So many of a line that the host is done before all comparisons are.
TEST(DeviceSizes, TopKOfHalfALongLineStaysAProcedure) {
  GraphFixture g;
  DeviceSizes sizes;
  const KernelGraph after =
      found_on_device(best_of(g, {1 << 22}, 0, 1 << 21, true, Type::f32), sizes);
  EXPECT_TRUE(std::holds_alternative<Procedure>(after.steps[0]));
}

// What is checked of a size is a flag: kernels behind it have it as a gate.
TEST(DeviceSizes, ChecksBecomeFlags) {
  for (const int64_t most : {16, 3}) {
    GraphFixture g;
    KernelGraph graph = found_in(g, {16});
    const Index found = Index::symbol(std::get<Procedure>(graph.steps[0]).results[0]);
    for (const int64_t limit : {int64_t{16}, most})
      graph.steps.insert(graph.steps.begin() + 1, Check{{{found, 0, limit + 1}}, "rows", {}});
    DeviceSizes sizes;
    KernelGraph after = found_on_device(graph, sizes);
    check_kernel_graph(after);
    ASSERT_EQ(sizes.sizes.size(), 3u);
    EXPECT_EQ(sizes.sizes[0].check, "");
    EXPECT_EQ(sizes.sizes[1].check, "rows");
    EXPECT_EQ(sizes.sizes[2].check, "rows");
    const std::vector<HostTensor> inputs = sample_inputs(graph, {});
    EXPECT_EQ(interpret(graph, inputs, {}).status, interpret(after, inputs, {}).status);
    EXPECT_EQ(interpret(after, inputs, {}).status, most == 16 ? kRunOk : kRunCheckFailed);

    std::map<StepId, KernelSchedule> kernels;
    after = with_step_ids(std::move(after));
    for (const StepId step : run_order(after.steps)) kernels[step] = {};
    decide_device_sizes(sizes, after, kernels, {});
    EXPECT_EQ(check_device_sizes(sizes, after, kernels), "");
    RunOrder behind;
    for (const auto& [step, flag] : sizes.gates) {
      behind.push_back(step);
      EXPECT_EQ(flag, 2);
    }
    const StepId last = after.steps.back().id;
    EXPECT_EQ(behind, (RunOrder{after.steps.end()[-2].id, last}))
        << "what makes a flag has no gate";
    sizes.gates.erase(last);
    EXPECT_NE(check_device_sizes(sizes, after, kernels), "");
  }
}

// The caller's memory is at hand: nothing waits for what is read there.
TEST(DeviceSizes, SizesOfTheCallersTensorsStayWithTheHost) {
  GraphFixture g;
  const Operand count = g.input("count", {1}, Type::i64), y = g.output("y", {16});
  const Symbol size = counted(16);
  g.graph.steps.emplace_back(Bind{size, count.at({0}), {}});
  KernelBuilder kernel;
  kernel.write(y, {kernel.axis(Index::symbol(size))}, Expr::constant(Type::f32, 1.0));
  g.kernel("Fill", kernel);
  DeviceSizes sizes;
  found_on_device(g.graph, sizes);
  EXPECT_TRUE(sizes.sizes.empty());
}

TEST(DeviceSizes, LaunchesAreForTheMost) {
  GraphFixture g;
  DeviceSizes sizes;
  const KernelGraph after = found_on_device(found_in(g, {16}), sizes);
  const Dim found = Index::symbol(sizes.sizes[0].symbol);
  EXPECT_TRUE(depends_on_device(found * 3, sizes));
  EXPECT_EQ(launched_for(found * 3, sizes), Dim(48));
  sizes.sizes[0].on_host = "a test wants it";
  EXPECT_EQ(launched_for(found * 3, sizes), found * 3);
}

TEST(DeviceSizes, CheckerFindsWhatTheHostDoesNotKnow) {
  GraphFixture g;
  DeviceSizes sizes;
  KernelGraph after = found_on_device(found_in(g, {16}), sizes);
  std::map<StepId, KernelSchedule> kernels;
  after = with_step_ids(std::move(after));
  for (const StepId step : run_order(after.steps)) kernels[step] = {};
  EXPECT_EQ(check_device_sizes(sizes, after, kernels), "");
  kernels[StepId{0}].launches.push_back(
      {LaunchLoop{0, 0, Index::symbol(sizes.sizes[0].symbol), LaunchNodes{}}});
  EXPECT_NE(check_device_sizes(sizes, after, kernels), "");
  kernels[StepId{0}].launches.clear();
  after.values[static_cast<size_t>(after.outputs[0])].shape[1] =
      Index::symbol(sizes.sizes[0].symbol);
  EXPECT_NE(check_device_sizes(sizes, after, kernels), "");
}

}  // namespace
}  // namespace burin::device_sizes_test
