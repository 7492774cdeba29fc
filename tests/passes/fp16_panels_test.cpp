// Weights that --half keeps in sixteen bits on a CPU: their panels are fp16, tiles widen them as
// they read them, and results are the interpreter's to the bit, since widening is exact.
#include "kernel/run_order.h"
#include "loops/walk.h"
#include "select/precision/fp16_plan.h"
#include "selected_kernel.h"
#include "small_hardware.h"

namespace burin::fp16_panels_test {
namespace {

Hardware machine(int vector_bytes = 32) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}, {1 << 20, 14, 32, 1}});
  hardware.vector.vector_bytes = vector_bytes;
  return hardware;
}

KernelGraph stored(const KernelGraph& graph) {
  const KernelGraph numbered = with_step_ids(graph);
  return apply_fp16(numbered, plan_fp16(numbered, machine(), Fp16Use::storage));
}

// The kernel of `graph` with its weights so; of floats it has only what it is given and gives.
void expect_fp16(const KernelGraph& graph, const Hardware& hardware, const std::string& where) {
  const KernelGraph kept = stored(graph);
  const SelectedKernel kernel(kept, with_fp16(hardware, Fp16Use::storage));
  size_t floats = 0, halved = 0;
  for (const loops::Buffer& one : kernel.program().buffers) {
    if (one.scope != loops::Scope::argument) continue;
    (one.type == Type::f16 ? halved : floats) += 1;
  }
  EXPECT_EQ(floats, graph.inputs.size() + graph.outputs.size()) << where;
  EXPECT_EQ(halved, 1u) << where;
  kernel.expect_definition();
}

// Rows are weights: y[f, p] = sum over c of w[f, c] * x[c, p].
KernelGraph of_rows(int64_t filters, int64_t channels, int64_t pixels) {
  GraphFixture g;
  const Operand x = g.input("x", {channels, pixels}),
                w = g.constant("w", {filters, channels}, -1.25),
                y = g.output("y", {filters, pixels});
  KernelBuilder kernel;
  const Index f = kernel.axis(filters), p = kernel.axis(pixels), c = kernel.reduce_axis(channels);
  kernel.write(y, {f, p}, kernel.reduce(Combiner::sum, {c}, x.at({c, p}) * w.at({f, c})));
  g.kernel("conv", kernel);
  return g.graph;
}

// Columns are: y[i, j] = sum over k of x[i, k] * w[k, j].
KernelGraph of_columns(int64_t rows, int64_t depth, int64_t columns) {
  GraphFixture g;
  const Operand x = g.input("x", {rows, depth}), w = g.constant("w", {depth, columns}, -1.25),
                y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index i = kernel.axis(rows), j = kernel.axis(columns), k = kernel.reduce_axis(depth);
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, x.at({i, k}) * w.at({k, j})));
  g.kernel("gemm", kernel);
  return g.graph;
}

// A window of taps x taps.
KernelGraph of_window(int64_t filters, int64_t channels, int64_t width, int64_t taps) {
  GraphFixture g;
  const int64_t outputs = width - taps + 1;
  const Operand x = g.input("x", {channels, width, width}),
                w = g.constant("w", {filters, channels, taps, taps}, -1.25),
                y = g.output("y", {filters, outputs, outputs});
  KernelBuilder kernel;
  const Index f = kernel.axis(filters), i = kernel.axis(outputs), j = kernel.axis(outputs),
              c = kernel.reduce_axis(channels), s = kernel.reduce_axis(taps),
              t = kernel.reduce_axis(taps);
  kernel.write(
      y, {f, i, j},
      kernel.reduce(Combiner::sum, {c, s, t}, x.at({c, i + s, j + t}) * w.at({f, c, s, t})));
  g.kernel("window", kernel);
  return g.graph;
}

TEST(Fp16Panels, RowsOfWeightsStaySo) {
  for (const int64_t filters : {5, 24, 37}) {
    // In one chunk, in several, and with points that are left.
    for (const int64_t channels : {300, 256, 211}) {
      for (const int64_t pixels : {7, 48, 61}) {
        expect_fp16(of_rows(filters, channels, pixels), machine(),
                    std::to_string(filters) + " x " + std::to_string(channels));
      }
    }
  }
}

TEST(Fp16Panels, ColumnsOfWeightsStaySo) {
  for (const int64_t rows : {1, 3, 20}) {
    for (const int64_t columns : {48, 61})
      expect_fp16(of_columns(rows, 130, columns), machine(), std::to_string(rows) + " rows");
  }
}

TEST(Fp16Panels, WeightsOfWindowsStaySo) {
  for (const int64_t filters : {8, 19})
    expect_fp16(of_window(filters, 17, 12, 3), machine(), std::to_string(filters) + " filters");
}

// A machine without vectors widens each number as it loads it, without an array of the function.
TEST(Fp16Panels, MachinesWithoutVectorsWidenWhatTheyLoad) {
  const auto arrays = [](const Hardware& hardware) {
    const SelectedKernel kernel(stored(of_rows(24, 300, 48)),
                                with_fp16(hardware, Fp16Use::storage));
    kernel.expect_definition();
    return std::count_if(
        kernel.program().buffers.begin(), kernel.program().buffers.end(),
        [](const loops::Buffer& one) { return one.name.rfind("widened", 0) == 0; });
  };
  expect_fp16(of_rows(24, 300, 48), machine(0), "no vectors");
  EXPECT_EQ(arrays(machine(0)), 0);
  EXPECT_EQ(arrays(machine()), 1);
}

// Models whose weights are fp16 by themselves are as fast as they were.
TEST(Fp16Panels, NothingIsKeptThatWasNotAskedFor) {
  const SelectedKernel kernel(stored(of_rows(24, 300, 48)), with_fp16(machine(), Fp16Use::off));
  for (const loops::Buffer& one : kernel.program().buffers) EXPECT_NE(one.type, Type::f16);
  kernel.expect_definition();
}

}  // namespace
}  // namespace burin::fp16_panels_test
