// How much of a kernel each call of a thread has: divisions along two axes, what calls do anew, and
// that no other division takes clearly less time.
#include <gtest/gtest.h>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "kernel/interpreter/interpreter.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/choose.h"
#include "select/plan_facts.h"
#include "select/program_of.h"
#include "select/rows/row_blocks.h"
#include "select/threads/parallel.h"
#include "select/threads/parallel_cost.h"
#include "selected_kernel.h"

namespace burin::parallel_parts_test {
namespace {

Hardware machine(int threads) {
  Hardware hardware = load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/x86-64-v4-vnni.json");
  hardware.threads_max = threads;
  hardware.thread_start_us = 0;
  return hardware;
}

// y[m, n] = sum over k: w[m, k] x[k, n], of constant weights.
GraphFixture weights_times(int64_t rows, int64_t columns, int64_t depth) {
  GraphFixture g;
  const Operand w = g.constant("w", {rows, depth}, -1), x = g.input("x", {depth, columns}),
                y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index m = kernel.axis(rows), n = kernel.axis(columns), k = kernel.reduce_axis(depth);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, w.at({m, k}) * x.at({k, n})));
  g.kernel("Conv", kernel);
  return g;
}

// A convolution of 3 x 3 over a plane of `side` x `side` results.
GraphFixture window_of(int64_t rows, int64_t side, int64_t channels) {
  GraphFixture g;
  const Operand w = g.constant("w", {rows, channels, 3, 3}, -1),
                x = g.input("x", {channels, side + 2, side + 2}),
                y = g.output("y", {rows, side, side});
  KernelBuilder kernel;
  const Index m = kernel.axis(rows), i = kernel.axis(side), j = kernel.axis(side);
  const Index c = kernel.reduce_axis(channels), r = kernel.reduce_axis(3),
              s = kernel.reduce_axis(3);
  kernel.write(
      y, {m, i, j},
      kernel.reduce(Combiner::sum, {c, r, s}, w.at({m, c, r, s}) * x.at({c, i + r, j + s})));
  g.kernel("Conv", kernel);
  return g;
}

// y[j] = sum over q of (the greatest of row q of x) w[q, j].
GraphFixture classifier(int64_t classes) {
  GraphFixture g;
  const Operand x = g.input("x", {24, 5}), w = g.constant("w", {classes, 24}, -1.25),
                y = g.output("y", {classes});
  KernelBuilder kernel;
  const Index k = kernel.axis(24), p = kernel.reduce_axis(5);
  kernel.reduce(Combiner::max, {p}, x.at({k, p}));
  const Index j = kernel.axis(classes), q = kernel.reduce_axis(24);
  kernel.write(y, {j},
               kernel.reduce(Combiner::sum, {q}, Expr::let(0, Type::f32, {q}) * w.at({j, q})));
  g.kernel("classifier", kernel);
  return g;
}

// The program is free of races and computes what the kernel says. Samples are small whole numbers,
// of which every order of a sum is exact.
void expect_right(const GraphFixture& g, const LoopPlan& schedule, const loops::Program& program,
                  const std::vector<Value>& values) {
  EXPECT_EQ(check_cut(schedule), "");
  EXPECT_EQ(loops::verify(program), std::vector<std::string>()) << loops::to_string(program);
  const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
  Environment environment;
  for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[g.graph.inputs[k]] = inputs[k];
  const RunResult run = loops::run_loops(program, values, environment);
  EXPECT_EQ(run.status, kRunOk) << run.message;
  EXPECT_EQ(environment.tensor(values, g.graph.outputs[0]),
            interpret(g.graph, inputs, {}).outputs.at(0))
      << loops::to_string(program);
}

// Sums of products, in the order of the definition.
LoopPlans direct(const GraphFixture& g, const Hardware& hardware) {
  SelectOptions options;
  options.winograd_error = 0;
  return choose_loops(g.graph, hardware, options);
}

// By fewer products, in tiles whose fractions samples and weights are multiples of: exact, too.
LoopPlans in_tiles(const GraphFixture& g, const Hardware& hardware) {
  Tuning tuning;
  tuning.kernels[direct(g, hardware).keys.at(StepId{0})].verbs = {{"winograd", {2, 2, 1}}};
  SelectOptions options;
  options.tuning = &tuning;
  LoopPlans out = choose_loops(g.graph, hardware, options);
  EXPECT_TRUE(out.plans.at(StepId{0}).contraction->winograd);
  // Two results of 3 taps by 4 products instead of 6, along both axes.
  EXPECT_DOUBLE_EQ(share_of_products(out.plans.at(StepId{0})), 16.0 / 36);
  EXPECT_DOUBLE_EQ(share_of_products(direct(g, hardware).plans.at(StepId{0})), 1);
  return out;
}

LoopPlan scheduled(const GraphFixture& g, const Hardware& hardware) {
  const LoopPlans selection = direct(g, hardware);
  LoopPlan schedule = selection.plans.at(StepId{0});
  EXPECT_TRUE(schedule.cut) << to_string(schedule);
  expect_right(g, schedule, *with_programs(selection, hardware).kernels.at(StepId{0}).program,
               selection.graph.values);
  return schedule;
}

TEST(ParallelParts, ColumnsThatAreFewAreCutBesideRows) {
  // Four blocks of columns are too few for eight threads.
  const LoopPlan schedule = scheduled(weights_times(96, 196, 64), machine(8));
  const Cut& cut = *schedule.cut;
  ASSERT_TRUE(cut.across) << to_string(cut);
  EXPECT_EQ(cut.axis, schedule.contraction->n);
  EXPECT_EQ(cut.across->axis, schedule.contraction->m);
  EXPECT_GE(cut.calls().constant(), 8);
  EXPECT_EQ(cut.grain % schedule.contraction->tile.columns(), 0);
}

TEST(ParallelParts, RowsAreCutWhereTheyPackAllColumns) {
  // One block of columns, which every call packs for itself.
  const LoopPlan schedule = scheduled(weights_times(512, 49, 96), machine(8));
  EXPECT_EQ(schedule.cut->axis, schedule.contraction->m);
  EXPECT_FALSE(schedule.cut->across);
  EXPECT_EQ(scratches_of(schedule), Dim(8));
}

// As many rows as the caller has, so few by the hint that there is no other part for a thread than
// columns; their panels are made in blocks of rows, by every call for itself.
TEST(ParallelParts, OfOneRowColumnsAreCutWhereRowsArePackedInBlocks) {
  GraphFixture g;
  const Dim rows = sized("rows", 1, 4096, 1);
  const Operand x = g.input("x", {2048, rows}), w = g.constant("w", {2048, 192}, -1),
                y = g.output("y", {rows, 192});
  KernelBuilder kernel;
  const Index m = kernel.axis(rows), n = kernel.axis(192), k = kernel.reduce_axis(2048);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({k, m}) * w.at({k, n})));
  g.kernel("MatMul", kernel);
  rows.collect_symbols(g.graph.symbols);
  const Hardware hardware = machine(8);
  const SelectedKernel one(g.graph, hardware);
  const LoopPlan& schedule = one.plan();
  EXPECT_GT(schedule.contraction->block_rows, 0);
  ASSERT_TRUE(schedule.cut) << to_string(schedule);
  EXPECT_EQ(check_cut(schedule), "");
  EXPECT_EQ(schedule.cut->axis, schedule.contraction->n);
  EXPECT_EQ(scratches_of(schedule), Dim(schedule.cut->calls()));
  for (const int64_t size : {1, 3, 90}) one.expect_definition({{"rows", size}});
}

TEST(ParallelParts, BandsOfAWindowAreCutBesideRows) {
  const LoopPlan schedule = scheduled(window_of(48, 28, 8), machine(8));
  ASSERT_TRUE(schedule.contraction->window);
  const SlidingWindow& window = *schedule.contraction->window;
  ASSERT_TRUE(window.banded());
  ASSERT_TRUE(schedule.cut->across) << to_string(*schedule.cut);
  EXPECT_EQ(schedule.cut->axis, window.rows.output);
  EXPECT_EQ(schedule.cut->grain % at_hints(window.band), 0);
}

TEST(ParallelParts, LetsWithoutTheAxisAreMadeByEveryCall) {
  for (const int64_t classes : {500, 1000, 1024}) {
    const LoopPlan schedule = scheduled(classifier(classes), machine(8));
    ASSERT_EQ(schedule.tiles.size(), 1U);
    const SumTile& tile = schedule.tiles[0];
    EXPECT_EQ(schedule.cut->axis, tile.column);
    EXPECT_EQ(schedule.cut->grain % tile.tile.columns(), 0);
    EXPECT_EQ(scratches_of(schedule), min(schedule.cut->calls(), 8));
  }
}

// Wrong cuts, each by its reason.
TEST(ParallelParts, WhatMayNotBeCutIsSaid) {
  const LoopPlan right = scheduled(weights_times(96, 196, 64), machine(8));
  LoopPlan wrong = right;
  wrong.cut->across->axis = wrong.cut->axis;
  wrong.cut->across->grain = wrong.cut->grain;
  EXPECT_EQ(check_cut(wrong), "an axis is cut twice");
  wrong = right;
  wrong.cut->grain += 1;
  EXPECT_EQ(check_cut(wrong), "a chunk ends inside of points that are taken together");
  wrong = right;
  wrong.cut->across->grain += 1;
  EXPECT_EQ(check_cut(wrong), "a chunk ends inside of rows that are multiplied together");
  wrong = right;
  wrong.contraction->a.prepacked = kNoValue;
  EXPECT_EQ(check_cut(wrong), "rows are packed, and two axes are cut");
  wrong = right;
  wrong.kernel.writes[0].over = {wrong.cut->axis};
  EXPECT_EQ(check_cut(wrong), "a write does not run over the axes that are cut");

  LoopPlan band = scheduled(window_of(48, 28, 8), machine(8));
  band.cut->grain += 1;
  EXPECT_EQ(check_cut(band), "a chunk ends inside of points that are taken together");
  band.cut = Cut{{band.contraction->window->columns.output, 28, 4}, 8};
  EXPECT_EQ(check_cut(band), "positions of a window run through the axis");

  LoopPlan tile = scheduled(classifier(1000), machine(8));
  tile.cut->grain += 1;
  EXPECT_EQ(check_cut(tile), "a chunk ends inside of points that are taken together");
}

// Whatever the checker lets pass, along one axis or two, in chunks of all sizes that matter.
TEST(ParallelParts, EveryDivisionThatIsAllowedIsRight) {
  const Hardware hardware = machine(8);
  int alone = 0, pairs = 0;
  const GraphFixture product_of = weights_times(40, 150, 24), window = window_of(20, 24, 3);
  const std::pair<const GraphFixture*, LoopPlans> all[] = {
      {&product_of, direct(product_of, hardware)},
      {&window, direct(window, hardware)},
      {&window, in_tiles(window, hardware)}};
  for (const auto& [graph, selection] : all) {
    const GraphFixture& g = *graph;
    LoopPlan schedule = selection.plans.at(StepId{0});
    const ContractionSchedule& product = *schedule.contraction;
    std::vector<CutAxis> parts;
    for (int axis = 0; axis < static_cast<int>(schedule.kernel.axes.size()); ++axis) {
      const Dim& extent = schedule.kernel.axes[static_cast<size_t>(axis)].extent;
      for (const int64_t grain :
           {int64_t{1}, int64_t{7}, rows_together(schedule), 2 * rows_together(schedule),
            int64_t{product.tile.columns()}, int64_t{2} * product.tile.columns(),
            product.window ? at_hints(product.window->band) : 3})
        parts.push_back({axis, extent, grain});
    }
    const auto run = [&] {
      if (!check_cut(schedule).empty()) return 0;
      expect_right(g, schedule, program_of(schedule, selection.graph.values),
                   selection.graph.values);
      return 1;
    };
    for (const CutAxis& first : parts) {
      schedule.cut = Cut{first, 8};
      alone += run();
      for (const CutAxis& second : parts) {
        schedule.cut->across = second;
        pairs += run();
      }
    }
  }
  EXPECT_GE(alone, 7);
  EXPECT_GE(pairs, 12);
}

// By the definition: every call of the division's own program is looked at; the slowest one, times
// the rounds.
int64_t slowest(const LoopPlan& uncut, const std::vector<CutAxis>& axes,
                const std::vector<Value>& values, const Hardware& hardware) {
  const loops::Program program = program_of(divided(uncut, axes, hardware.threads_max), values);
  cost::Costs costs(program, hardware);
  const int64_t touched = touched_by_all(costs, axes, hardware);
  int64_t calls = 1, most = 0;
  for (const CutAxis& axis : axes) calls *= calls_of(axis);
  for (int64_t call = 0; call < calls; ++call) {
    std::vector<Range> parts;
    int64_t rest = call;
    for (const CutAxis& axis : axes) {
      const int64_t first = rest % calls_of(axis) * axis.grain;
      parts.push_back({first, std::min(first + axis.grain, points_of(axis))});
      rest /= calls_of(axis);
    }
    most = std::max(most, cost_of_call(costs, parts, touched, hardware).cycles());
  }
  const int threads = hardware.threads_max;
  return most * ((calls + threads - 1) / threads);
}

TEST(ParallelParts, NoOtherDivisionTakesClearlyLessTime) {
  for (const int threads : {2, 3, 8, 16}) {
    for (const auto& [rows, columns] : {std::pair{96, 196}, {512, 49}, {64, 3136}, {30, 500}}) {
      const GraphFixture g = weights_times(rows, columns, 32);
      const Hardware hardware = machine(threads);
      const LoopPlans selection = direct(g, hardware);
      const std::vector<Value>& values = selection.graph.values;
      const LoopPlan& schedule = selection.plans.at(StepId{0});
      ASSERT_TRUE(schedule.cut && schedule.contraction);
      LoopPlan uncut = schedule;
      uncut.cut.reset();
      const ContractionSchedule& product = *schedule.contraction;
      const int64_t taken = slowest(uncut, schedule.cut->axes(), values, hardware);
      const int64_t height = rows_together(schedule);
      const CutAxis m{product.m, rows, 1}, n{product.n, columns, 1};
      for (int64_t grain_m = height; grain_m < rows + height; grain_m += height) {
        for (int64_t grain_n = product.tile.columns(); grain_n < columns + product.tile.columns();
             grain_n += product.tile.columns()) {
          const std::vector<CutAxis> axes{{m.axis, m.extent, grain_m}, {n.axis, n.extent, grain_n}};
          const int64_t calls = calls_of(axes[0]) * calls_of(axes[1]);
          if (calls < 2 || calls > kChunksPerThread * threads) continue;
          EXPECT_LE(taken * 100, slowest(uncut, axes, values, hardware) * 120)
              << to_string(*schedule.cut) << " or " << grain_m << " x " << grain_n << " of " << rows
              << " x " << columns << ", " << threads << " threads";
        }
      }
    }
  }
}

// What lies between the fewest points of two axes and all of them is near what such calls take.
TEST(ParallelParts, CallsBetweenTheCornersAreNearALine) {
  const GraphFixture g = weights_times(512, 768, 64);
  const Hardware hardware = machine(8);
  const LoopPlans selection = direct(g, hardware);
  const std::vector<Value>& values = selection.graph.values;
  LoopPlan uncut = selection.plans.at(StepId{0});
  ASSERT_TRUE(uncut.contraction);
  uncut.cut.reset();
  const ContractionSchedule& product = *uncut.contraction;
  const int64_t height = rows_together(uncut), width = product.tile.columns();
  const std::vector<CutAxis> least{{product.n, 768, width}, {product.m, 512, height}};
  const MakeProgram make = [&](const LoopPlan& one) { return program_of(one, values); };
  CallCosts costs(uncut, least, hardware, make);
  const loops::Program program = program_of(divided(uncut, least, 8), values);
  cost::Costs exactly(program, hardware);
  const int64_t touched = touched_by_all(exactly, least, hardware);
  for (int64_t rows = height; rows <= 512; rows += 3 * height) {
    for (int64_t columns = width; columns <= 768; columns += 3 * width) {
      const int64_t exact =
          cost_of_call(exactly, {{0, columns}, {0, rows}}, touched, hardware).cycles();
      EXPECT_NEAR(static_cast<double>(costs.of_call({columns, rows})), static_cast<double>(exact),
                  static_cast<double>(exact) / 8)
          << rows << " x " << columns;
    }
  }
}

}  // namespace
}  // namespace burin::parallel_parts_test
