// What a description that optimises for size asks for: sums at their step of a recurrence, one tile
// and one version of a product, windows read where they are, loops that are not repeated. What is
// computed stays the same.
#include "select/tiles/short_code.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "hardware/load.h"
#include "loops/run/run.h"
#include "loops/walk.h"
#include "select/choose.h"
#include "select/fuse_options.h"

namespace burin::short_code_test {
namespace {

constexpr int64_t kSteps = 5, kUnits = 6, kFeatures = 4;

Hardware described(Optimise optimise) {
  Hardware hardware = load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/cortex-m7.json");
  hardware.optimise = optimise;
  return hardware;
}

// Two gates g of p[t, g, j] = sum over k of x[t, k] * w[g, j, k] + b[g, j], then
// h[t, j] = p[t, 0, j] * h[t - 1, j] + p[t, 1, j]. `inside`: what is read is summed once more.
struct Projected {
  GraphFixture g;
  Operand p;
  explicit Projected(bool inside = false, bool shown = false) {
    const Operand x = g.input("x", {kSteps, kFeatures}),
                  w = g.constant("w", {2, kUnits, kFeatures}, -1),
                  b = g.constant("b", {2, kUnits}, 0.25), y = g.output("y", {kSteps, kUnits});
    p = shown ? g.output("p", {kSteps, 2, kUnits}) : g.value("p", {kSteps, 2, kUnits});
    {
      KernelBuilder kernel;
      const Index t = kernel.axis(kSteps), gate = kernel.axis(2), j = kernel.axis(kUnits),
                  k = kernel.reduce_axis(kFeatures);
      const Expr sum = kernel.reduce(Combiner::sum, {k}, x.at({t, k}) * w.at({gate, j, k}));
      kernel.write(p, {t, gate, j}, sum + b.at({gate, j}));
      g.kernel("projection", kernel);
    }
    KernelBuilder kernel;
    const Index t = kernel.axis(kSteps, {}, AxisKind::sequential), j = kernel.axis(kUnits),
                k = kernel.reduce_axis(kUnits);
    const Expr added =
        inside ? kernel.reduce(Combiner::sum, {k}, p.at({t, Index(1), k})) : p.at({t, Index(1), j});
    const int state = kernel.next_let();
    const Expr before = Expr::cases({{{{t, 1, kSteps}}, Expr::let(state, Type::f32, {t - 1, j})}},
                                    Expr::constant(Type::f32, 0));
    kernel.write(y, {t, j}, kernel.let({t, j}, p.at({t, Index(0), j}) * before + added));
    g.kernel("recurrence", kernel);
  }
};

KernelGraph fused(const KernelGraph& graph, Optimise optimise) {
  return fuse(graph, fuse_options({}, described(optimise), true));
}

TEST(ShortCode, SumsOfAStepTakeNoMemoryForAllSteps) {
  const Projected net;
  const KernelGraph apart = fused(net.g.graph, Optimise::kSpeed),
                    together = fused(net.g.graph, Optimise::kSize);
  EXPECT_EQ(count_kernels(apart), 2);
  EXPECT_EQ(count_kernels(together), 1) << to_string(together);
  expect_same(net.g.graph, together);
}

TEST(ShortCode, WhatIsReadInASumOrByOthersStaysATensor) {
  const Projected inside(true), shown(false, true);
  const KernelGraph summed = fused(inside.g.graph, Optimise::kSize),
                    seen = fused(shown.g.graph, Optimise::kSize);
  EXPECT_EQ(count_kernels(summed), 2) << to_string(summed);
  EXPECT_EQ(count_kernels(seen), 2) << to_string(seen);
  expect_same(inside.g.graph, summed);
}

const LoopPlan& schedule_of(const LoopPlans& selection) { return selection.plans.at(StepId{0}); }

TEST(ShortCode, AProductHasOneTileThatTheRegistersHold) {
  GraphFixture g;
  matmul(g, "product", g.input("x", {sized("rows", 1, 64, 17), 40}), g.constant("w", {40, 52}, -1),
         g.output("y", {sized("rows", 1, 64, 17), 52}));
  const LoopPlans fast = choose_loops(g.graph, described(Optimise::kSpeed)),
                  brief = choose_loops(g.graph, described(Optimise::kSize));
  ASSERT_TRUE(schedule_of(fast).contraction && schedule_of(brief).contraction);
  EXPECT_FALSE(schedule_of(fast).contraction->versions == Versions{});
  EXPECT_EQ(schedule_of(brief).contraction->versions, Versions{});
  const Tile& tile = schedule_of(brief).contraction->tile;
  EXPECT_EQ(tile.vectors, 1);
  EXPECT_LE(tile.rows * tile.columns() + tile.columns() + 1, 28) << "floats in registers";
}

// The last columns are those of a whole tile, some of which the tile before made: no panel, and no
// second loops. Not where a result is made of a tensor, whose bytes may be the result's.
TEST(ShortCode, TheLastColumnsOverlapThoseBefore) {
  for (const bool added : {false, true}) {
    GraphFixture g;
    const Operand w = g.constant("w", {16, 32}, -1), x = g.input("x", {32, 61}),
                  r = g.input("r", {16, 61}), y = g.output("y", {16, 61});
    KernelBuilder kernel;
    const Index f = kernel.axis(16), i = kernel.axis(61), k = kernel.reduce_axis(32);
    const Expr sum = kernel.reduce(Combiner::sum, {k}, w.at({f, k}) * x.at({k, i}));
    kernel.write(y, {f, i}, added ? sum + r.at({f, i}) : sum);
    g.kernel("product", kernel);
    const LoopPlans brief = choose_loops(g.graph, described(Optimise::kSize));
    ASSERT_TRUE(schedule_of(brief).contraction);
    EXPECT_EQ(schedule_of(brief).contraction->b_overlaps, !added);
    EXPECT_EQ(schedule_of(brief).scratch_bytes.is_constant(0), !added);
    EXPECT_FALSE(
        schedule_of(choose_loops(g.graph, described(Optimise::kSpeed))).contraction->b_overlaps);
    const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
    Environment environment;
    for (size_t one = 0; one < inputs.size(); ++one)
      environment.tensors[g.graph.inputs[one]] = inputs[one];
    const Selection made = with_programs(brief, described(Optimise::kSize));
    const RunResult run =
        loops::run_loops(*made.kernels.at(StepId{0}).program, brief.graph.values, environment);
    ASSERT_EQ(run.status, kRunOk) << run.message;
    EXPECT_EQ(environment.tensor(brief.graph.values, g.graph.outputs[0]),
              interpret(g.graph, inputs, {}).outputs[0]);
  }
}

// y[f, i] = sum over c, u of w[f, c, u] * x[c, i + u - 1], 0 beyond the ends.
TEST(ShortCode, AWindowIsReadWhereItIs) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 64}), w = g.constant("w", {16, 8, 3}, -1),
                y = g.output("y", {16, 64});
  KernelBuilder kernel;
  const Index f = kernel.axis(16), i = kernel.axis(64), c = kernel.reduce_axis(8),
              u = kernel.reduce_axis(3);
  const Expr inside =
      Expr::cases({{{{i + u - 1, 0, 64}}, x.at({c, i + u - 1})}}, Expr::constant(Type::f32, 0));
  kernel.write(y, {f, i}, kernel.reduce(Combiner::sum, {c, u}, w.at({f, c, u}) * inside));
  g.kernel("convolution", kernel);
  const LoopPlans fast = choose_loops(g.graph, described(Optimise::kSpeed)),
                  brief = choose_loops(g.graph, described(Optimise::kSize));
  ASSERT_TRUE(schedule_of(fast).contraction);
  EXPECT_TRUE(schedule_of(fast).contraction->window);
  EXPECT_EQ(schedule_of(brief).scratch_bytes, Dim(0));
  const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
  Environment environment;
  environment.tensors[g.graph.inputs[0]] = inputs[0];
  const Selection made = with_programs(brief, described(Optimise::kSize));
  const RunResult run =
      loops::run_loops(*made.kernels.at(StepId{0}).program, brief.graph.values, environment);
  ASSERT_EQ(run.status, kRunOk) << run.message;
  EXPECT_EQ(environment.tensor(brief.graph.values, g.graph.outputs[0]),
            interpret(g.graph, inputs, {}).outputs[0]);
}

TEST(ShortCode, KernelsStayApartAndBytesStayBytes) {
  const FuseOptions brief = fuse_options({}, described(Optimise::kSize), true),
                    fast = fuse_options({}, described(Optimise::kSpeed), true);
  EXPECT_EQ(brief.small_operations, 0);
  EXPECT_EQ(brief.row_epilogue_bytes, 0);
  EXPECT_TRUE(brief.integer_products);
  EXPECT_GT(fast.small_operations, 0);
  EXPECT_GT(fast.row_epilogue_bytes, 0);
  EXPECT_TRUE(fast.integer_products);
}

}  // namespace
}  // namespace burin::short_code_test
