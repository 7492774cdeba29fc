// What a kernel has to do, and the least time for it: products by the instructions that a
// description has for their kind.
#include "backends/kernel_work.h"

#include "fuse/constants/signs.h"
#include "graph_fixture.h"
#include "hardware/load.h"

namespace burin::kernel_work_test {
namespace {

constexpr int64_t kRows = 64, kColumns = 96, kDepth = 128;
constexpr int64_t kProducts = kRows * kColumns * kDepth;

Hardware machine() { return load_hardware(BURIN_SOURCE_DIR "/configs/x86-64-v4-vpopcntdq.json"); }

KernelGraph product_of(bool signs, Type type) {
  GraphFixture g;
  const Type wide = type == Type::f32 ? Type::f32 : Type::i32;
  const Operand x = g.input("x", {kRows, kDepth}, type), s = g.value("s", {kRows, kDepth}),
                w = g.constant("w", {kDepth, kColumns}), y = g.output("y", {kRows, kColumns}, wide);
  HostTensor ones =
      make_tensor(Type::f32, {kDepth, kColumns}, std::vector<double>(kDepth * kColumns, -1.0));
  g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(ones);
  if (signs) g.map("s", s, [&](const Indices& at) { return Expr::unary(Unary::sign, x.at(at)); });
  KernelBuilder kernel;
  const Index i = kernel.axis(kRows), j = kernel.axis(kColumns), k = kernel.reduce_axis(kDepth);
  const Expr a = signs ? s.at({i, k}) : Expr::cast(wide, x.at({i, k}));
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, a * Expr::cast(wide, w.at({k, j}))));
  g.kernel("product", kernel);
  return signs ? with_sign_products(g.graph, 8) : g.graph;
}

KernelWork work_of(const KernelGraph& graph) {
  WorkMeter meter(graph);
  return meter.of(graph.steps.back());
}

TEST(KernelWork, FloatsTakeFusedProducts) {
  const KernelWork work = work_of(product_of(false, Type::f32));
  EXPECT_EQ(work.macs, kProducts);
  EXPECT_EQ(work.least_cycles(machine()), kProducts / (2 * 16));
}

TEST(KernelWork, OfFewerProductsThoseCount) {
  const KernelGraph graph = product_of(false, Type::f32);
  std::map<StepId, KernelSchedule> kernels;
  kernels[graph.steps.back().id].products = 0.25;
  WorkMeter meter(graph, &kernels);
  const KernelWork work = meter.of(graph.steps.back());
  EXPECT_EQ(work.macs, kProducts);
  EXPECT_EQ(work.least_cycles(machine()), kProducts / 4 / (2 * 16));
}

TEST(KernelWork, BytesTakeDotProducts) {
  const KernelWork work = work_of(product_of(false, Type::i8));
  EXPECT_EQ(work.macs, kProducts);
  EXPECT_EQ(work.byte_macs, kProducts);
  EXPECT_EQ(work.least_cycles(machine()), kProducts / (2 * 64));
  Hardware without = machine();
  without.rows.clear();
  EXPECT_EQ(work.least_cycles(without), kProducts / (2 * 16));
}

TEST(KernelWork, SignsTakeWords) {
  const KernelWork work = work_of(product_of(true, Type::f32));
  EXPECT_EQ(work.macs, kProducts);
  EXPECT_EQ(work.sign_macs, kProducts);
  // Three operations for 512 of them, two in a cycle.
  EXPECT_EQ(work.least_cycles(machine()), kProducts * 3 / (512 * 2));
}

}  // namespace
}  // namespace burin::kernel_work_test
