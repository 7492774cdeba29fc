// Halves: which tensors and operations become such, what stays in floats, and what the checker
// finds.
#include <cmath>

#include "graph_fixture.h"
#include "kernel/interpreter/interpreter.h"
#include "kernel/run_order.h"
#include "runtime_min/half.h"
#include "select/precision/fp16_plan.h"
#include "select/select.h"
#include "support/numbers.h"

namespace burin::fp16_test {
namespace {

Hardware device() {
  Hardware hardware;
  hardware.target = Target::kOpenCl;
  hardware.clock_mhz = 1000;
  hardware.opencl.fp16 = true;
  hardware.opencl.compute_units = 16;
  hardware.opencl.wave_size = 32;
  hardware.opencl.launch_us = 5;
  hardware.opencl.work_group_size = 128;
  hardware.opencl.work_group_size_max = 1024;
  hardware.opencl.work_item_sizes_max = {1024, 1024, 64};
  hardware.opencl.lanes = 128;
  hardware.opencl.vector_width = 4;
  hardware.opencl.items_max = 2048;
  hardware.opencl.register_bytes = 262144;
  hardware.opencl.local_memory_bytes = 32768;
  hardware.memory.caches = {{131072, 30, 128, 1}, {4194304, 200, 32, 1}};
  hardware.memory.bandwidth_mb_per_s = 500000;
  return hardware;
}

// Every operation on halves is the double's, rounded once: these operands leave nothing to the
// double's own rounding but in quotients, where 53 bits are enough.
TEST(Fp16, OperationsAreRoundedToTheNearest) {
  Numbers numbers(7);
  for (int i = 0; i < 200000; ++i) {
    const auto draw = [&] {
      return double{burin_rt::f16_to_f32(static_cast<uint16_t>(numbers.below(65536)))};
    };
    const double a = draw(), b = draw();
    const auto expect = [&](Binary op, double exact) {
      const double got = apply(op, Type::f16, {a, 0}, {b, 0}).number;
      const double wanted = burin_rt::f16_to_f32(burin_rt::f64_to_f16(exact));
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got));
      } else {
        EXPECT_EQ(got, wanted) << a << " " << to_string(op) << " " << b;
      }
    };
    expect(Binary::add, a + b);
    expect(Binary::sub, a - b);
    expect(Binary::mul, a * b);
    if (b != 0) expect(Binary::div, a / b);
  }
}

// t = x * x, y = sum over k: t[i, k] * w[k, j], with t between kernels.
KernelGraph& product(GraphFixture& g, int64_t rows, int64_t depth, int64_t columns) {
  const Operand x = g.input("x", {rows, depth}), t = g.value("t", {rows, depth}),
                w = g.constant("w", {depth, columns}), y = g.output("y", {rows, columns});
  {
    KernelBuilder kernel;
    const Index i = kernel.axis(rows), k = kernel.axis(depth);
    kernel.write(t, {i, k}, x.at({i, k}) * x.at({i, k}));
    g.kernel("Square", kernel);
  }
  {
    KernelBuilder kernel;
    const Index i = kernel.axis(rows), j = kernel.axis(columns), k = kernel.reduce_axis(depth);
    const Expr sum = kernel.reduce(Combiner::sum, {k}, (t.at({i, k}) * 0.5) * w.at({k, j}));
    kernel.write(y, {i, j}, sum + 1.0);
    g.kernel("Product", kernel);
  }
  g.graph = with_step_ids(std::move(g.graph));
  return g.graph;
}

TEST(Fp16, TensorsBetweenKernelsAndWeightsAreKeptSo) {
  GraphFixture g;
  const KernelGraph& graph = product(g, 64, 64, 64);
  const Fp16Plan plan = plan_fp16(graph, device(), Fp16Use::storage);
  const KernelGraph after = apply_fp16(graph, plan);
  check_kernel_graph(after);
  EXPECT_EQ(check_fp16(plan, graph, after), "");
  EXPECT_EQ(plan.stored.size(), 2u) << "t and w, not x and y";
  EXPECT_TRUE(plan.kernels.empty());
  const auto& kernel = std::get<Kernel>(after.steps[1]);
  EXPECT_EQ(fp16_operations(kernel), 0);
}

TEST(Fp16, ElementsAreComputedSoAndSumsAreNot) {
  GraphFixture g;
  const KernelGraph& graph = product(g, 64, 64, 64);
  const Fp16Plan plan = plan_fp16(graph, device(), Fp16Use::arithmetic);
  const KernelGraph after = apply_fp16(graph, plan);
  check_kernel_graph(after);
  EXPECT_EQ(check_fp16(plan, graph, after), "");
  ASSERT_EQ(plan.kernels.size(), 1u) << "x is no half, so its square is none";
  EXPECT_EQ(plan.kernels[0].step, StepId{1});
  const auto& kernel = std::get<Kernel>(after.steps[1]);
  EXPECT_EQ(fp16_operations(kernel), 1) << "what is multiplied before the sum";
  EXPECT_EQ(float_operations(kernel), 2) << "the product itself, and what becomes of its sum";
  EXPECT_EQ(kernel.lets[0].accumulator[0], Type::f32);
}

TEST(Fp16, TilesSumAStepInHalves) {
  GraphFixture g;
  const KernelGraph& graph = product(g, 64, 64, 64);
  const Fp16Plan plan = plan_fp16(graph, device(), Fp16Use::arithmetic);
  const auto selected = [&](Fp16Use use) {
    return select(apply_fp16(graph, plan), with_fp16(device(), use));
  };
  const Selection halves = selected(Fp16Use::arithmetic), floats = selected(Fp16Use::storage);
  const auto sums_in_halves = [](const Selection& selection) {
    const std::vector<Let>& lets = selection.kernels.at(StepId{1}).kernel.lets;
    return std::count_if(lets.begin(), lets.end(),
                         [](const Let& let) { return let.accumulator[0] == Type::f16; });
  };
  EXPECT_EQ(sums_in_halves(halves), 1);
  EXPECT_NE(halves.kernels.at(StepId{1}).reason.find("in fp16"), std::string::npos);
  EXPECT_EQ(sums_in_halves(floats), 0);
  // What the selection means is what the kernels meant, but for the roundings of a step's sums.
  check_kernel_graph(halves.graph);
  HostTensor x = make_tensor(Type::f32, {64, 64});
  for (int64_t i = 0; i < x.elements(); ++i) x.set(i, {double((i * 37) % 128 - 64) / 64, 0});
  const RunResult a = interpret(graph, {x}, {}), b = interpret(halves.graph, {x}, {}),
                  c = interpret(floats.graph, {x}, {});
  ASSERT_EQ(a.status, kRunOk);
  double largest = 0, far = 0, near = 0;
  for (int64_t i = 0; i < a.outputs[0].elements(); ++i) {
    const double exact = a.outputs[0].get(i).number;
    largest = std::max(largest, std::abs(exact));
    far = std::max(far, std::abs(b.outputs[0].get(i).number - exact));
    near = std::max(near, std::abs(c.outputs[0].get(i).number - exact));
  }
  EXPECT_LT(far, largest * 16 * 0x1p-11) << "a step of 16 at most";
  EXPECT_LT(near, far) << "sums in floats are closer";
}

TEST(Fp16, NormsAndProceduresKeepFloats) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 64}), t = g.value("t", {8, 64}), y = g.output("y", {8, 64});
  KernelBuilder copy;
  const Index a = copy.axis(8), b = copy.axis(64);
  copy.write(t, {a, b}, x.at({a, b}) * 2.0);
  g.kernel("Twice", copy);
  KernelBuilder kernel;
  const Index i = kernel.axis(8), j = kernel.axis(64), k = kernel.reduce_axis(64);
  const Expr mean = kernel.reduce(Combiner::sum, {k}, t.at({i, k})) / 64.0;
  kernel.write(y, {i, j}, t.at({i, j}) - mean);
  g.kernel("Norm", kernel);
  const Fp16Plan plan = plan_fp16(g.graph, device(), Fp16Use::arithmetic);
  EXPECT_EQ(plan.stored.size(), 1u);
  EXPECT_TRUE(plan.kernels.empty()) << "one kernel has a float, the other a sum";
}

TEST(Fp16, ConstantsThatHalvesCannotHoldKeepFloats) {
  for (const double number : {1e-6, 1e6, 0.1}) {
    GraphFixture g;
    const Operand c = g.constant("c", {64, 64}), y = g.output("y", {64, 64});
    g.graph.values[static_cast<size_t>(c.value())].constant =
        to_constant(make_tensor(Type::f32, {64, 64}, std::vector<double>(64 * 64, number)));
    KernelBuilder kernel;
    const Index i = kernel.axis(64), j = kernel.axis(64);
    kernel.write(y, {i, j}, c.at({i, j}));
    g.kernel("Copy", kernel);
    const Fp16Plan plan = plan_fp16(g.graph, device(), Fp16Use::storage);
    EXPECT_EQ(plan.stored.size(), number == 0.1 ? 1u : 0u) << number;
    EXPECT_EQ(plan.kept.size(), number == 0.1 ? 0u : 1u);
  }
}

TEST(Fp16, CheckerFindsSumsInHalvesAndOtherTypes) {
  GraphFixture g;
  const KernelGraph& graph = product(g, 64, 64, 64);
  const Fp16Plan plan = plan_fp16(graph, device(), Fp16Use::arithmetic);
  const KernelGraph good = apply_fp16(graph, plan);
  KernelGraph bad = good;
  auto& kernel = std::get<Kernel>(bad.steps[1]);
  kernel.lets[0].body[0] = Expr::to_half(kernel.lets[0].body[0]);
  EXPECT_EQ(check_fp16(plan, graph, bad), "halves are summed in kernel Product");
  Fp16Plan less = plan;
  less.stored.pop_back();
  EXPECT_EQ(check_fp16(less, graph, good), "a tensor has another type than the plan says");
}

}  // namespace
}  // namespace burin::fp16_test
