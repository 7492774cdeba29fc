// Sums in register tiles inside other loops: recurrences of every number of rows and units around
// the tile's, as programs in the interpreter, beside the definition. Each element is summed in the
// order of the depth whichever tile it is in, so every bit agrees.
#include "select/products/sum_tiles.h"

#include "graph_fixture.h"
#include "hardware/load.h"
#include "kernel/run_order.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/choose.h"
#include "select/precision/fp16_plan.h"
#include "select/program_of.h"

namespace burin::sum_tiles_test {
namespace {

constexpr int64_t kSteps = 3;

// h[t, d, b, j] = x[t, b, j] + sum over k of h[t - 1, d, b, k] * w[d, j, k], nothing before t = 0,
// or what is given.
struct Recurrence {
  GraphFixture g;
  Recurrence(const Dim& rows, int64_t units, int64_t directions = 1, bool constant = true,
             bool given = false) {
    rows.collect_symbols(g.graph.symbols);
    const Operand x = g.input("x", {kSteps, rows, units});
    const Operand w = constant ? g.constant("w", {directions, units, units}, -1.25)
                               : g.input("w", {directions, units, units});
    const Operand y = g.output("y", {kSteps, directions, rows, units});
    KernelBuilder kernel;
    const Index t = kernel.axis(kSteps, {}, AxisKind::sequential), d = kernel.axis(directions),
                b = kernel.axis(rows), j = kernel.axis(units), k = kernel.reduce_axis(units);
    const int state = kernel.next_let() + 1;
    // The state has the axes that there are.
    const auto at = [&](const Index& step, const Index& unit) {
      Indices out{step};
      if (directions > 1) out.push_back(d);
      if (!(rows == Dim(1))) out.push_back(b);
      out.push_back(unit);
      return out;
    };
    const Expr first =
        given ? g.input("h0", {rows, units}).at({b, k}) : Expr::constant(Type::f32, 0);
    const Expr before =
        Expr::cases({{{{t, 1, kSteps}}, Expr::let(state, Type::f32, at(t - 1, k))}}, first);
    const Expr sum = kernel.reduce(Combiner::sum, {k}, before * w.at({d, j, k}));
    const Expr h = kernel.let(at(t, j), x.at({t, b, j}) + sum);
    kernel.write(y, {t, d, b, j}, h);
    g.kernel("recurrence", kernel);
  }
};

Hardware machine(const std::string& name) {
  return load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/" + name + ".json");
}

int calls_of(const loops::Program& program) {
  int count = 0;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    count += std::holds_alternative<loops::Call>(stmt.node) ? 1 : 0;
  });
  return count;
}

// Numbers whose products and sums are rounded, so that another order is another result.
void make_inexact(HostTensor& tensor) {
  for (int64_t i = 0; i < tensor.elements(); ++i)
    tensor.set(i,
               {static_cast<double>(static_cast<float>(tensor.get(i).number * 0.37 + 0.011)), 0});
}

void expect_right(const GraphFixture& g, const Hardware& hardware,
                  const std::map<std::string, int64_t>& symbols, const std::string& where) {
  const LoopPlans chosen = choose_loops(g.graph, hardware);
  ASSERT_EQ(chosen.plans.at(StepId{0}).tiles.size(), 1U) << where;
  const Selection selection = with_programs(chosen, hardware);
  const KernelSchedule& schedule = selection.kernels.at(StepId{0});
  EXPECT_GT(calls_of(*schedule.program), 0) << where;
  EXPECT_EQ(loops::verify(*schedule.program), std::vector<std::string>()) << where;
  std::vector<HostTensor> inputs = sample_inputs(g.graph, symbols);
  for (HostTensor& input : inputs) make_inexact(input);
  const RunResult wanted = interpret(g.graph, inputs, symbols);
  ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
  Environment environment;
  environment.symbols = symbols;
  for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[g.graph.inputs[k]] = inputs[k];
  const RunResult run = loops::run_loops(*schedule.program, selection.graph.values, environment);
  ASSERT_EQ(run.status, kRunOk) << run.message << where;
  EXPECT_EQ(environment.tensor(selection.graph.values, g.graph.outputs[0]), wanted.outputs[0])
      << where << "\n"
      << loops::to_string(*schedule.program);
}

TEST(SumTiles, RecurrencesOfAllSizesAreExact) {
  for (const char* name : {"cpp-generic", "x86-64-v3", "x86-64-v4-vnni"}) {
    const Hardware hardware = machine(name);
    for (const int64_t rows : {1, 2, 5, 6, 7, 13}) {
      for (const int64_t units : {16, 37, 64, 70}) {
        expect_right(
            Recurrence(rows, units).g, hardware, {},
            std::string(name) + ": " + std::to_string(rows) + " x " + std::to_string(units));
      }
    }
  }
}

// Weights that --half keeps in sixteen bits: panels are fp16 too, and so are results.
TEST(SumTiles, WeightsMayBeFp16) {
  for (const int64_t rows : {1, 5}) {
    Recurrence one(rows, 64);
    KernelGraph numbered = with_step_ids(one.g.graph);
    const Hardware hardware = machine("x86-64-v3");
    one.g.graph = apply_fp16(numbered, plan_fp16(numbered, hardware, Fp16Use::storage));
    const LoopPlans selection = choose_loops(one.g.graph, hardware);
    const SumTile& tile = selection.plans.at(StepId{0}).tiles.at(0);
    EXPECT_EQ(selection.graph.values[static_cast<size_t>(tile.panels)].type, Type::f16);
    expect_right(one.g, hardware, {}, std::to_string(rows) + " rows of fp16");
  }
}

// y[j] = the sum over k of what is greatest in row k of x, times w[j, k].
TEST(SumTiles, ARowOfPooledFeaturesIsMultipliedInATile) {
  for (const int64_t classes : {8, 50, 128}) {
    GraphFixture g;
    const Operand x = g.input("x", {24, 5}), w = g.constant("w", {classes, 24}, -1.25),
                  y = g.output("y", {classes});
    KernelBuilder kernel;
    const Index k = kernel.axis(24), p = kernel.reduce_axis(5);
    kernel.reduce(Combiner::max, {p}, x.at({k, p}));
    const Index j = kernel.axis(classes), q = kernel.reduce_axis(24);
    const Expr sum = kernel.reduce(Combiner::sum, {q}, Expr::let(0, Type::f32, {q}) * w.at({j, q}));
    kernel.write(y, {j}, max(sum, Expr::constant(Type::f32, 0)));
    g.kernel("classifier", kernel);
    expect_right(g, machine("x86-64-v3"), {}, std::to_string(classes) + " classes");
  }
}

TEST(SumTiles, WeightsOfSeveralDirectionsLieBehindEachOther) {
  expect_right(Recurrence(3, 40, 2).g, machine("x86-64-v3"), {}, "two directions");
  expect_right(Recurrence(1, 40, 2).g, machine("x86-64-v3"), {}, "two directions of one row");
}

TEST(SumTiles, RowsOfTheCallAreSharedByThreads) {
  Hardware hardware = machine("x86-64-v3");
  hardware.threads_max = 4;
  hardware.thread_start_us = 0;
  const Recurrence one(sized("n", 1, 40, 16), 64);
  const LoopPlans selection = choose_loops(one.g.graph, hardware);
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.cut.has_value());
  // A chunk that ends inside of a tile would have rows one by one.
  ASSERT_GT(schedule.tiles.at(0).tile.rows, 1);
  EXPECT_EQ(schedule.cut->grain % schedule.tiles[0].tile.rows, 0);
  for (const int64_t n : {1, 3, 8, 17, 40})
    expect_right(one.g, hardware, {{"n", n}}, "n = " + std::to_string(n));
}

TEST(SumTiles, TheFirstStepMayReadAStateThatIsGiven) {
  expect_right(Recurrence(7, 40, 1, true, true).g, machine("x86-64-v3"), {}, "given");
  expect_right(Recurrence(1, 37, 1, true, true).g, machine("x86-64-v3"), {}, "given, one row");
}

// What all of this rests on: with these numbers a sum in another order has other bits.
TEST(SumTiles, AnotherOrderWouldBeSeen) {
  HostTensor numbers = make_tensor(Type::f32, {40});
  for (int64_t i = 0; i < 40; ++i) numbers.set(i, {static_cast<double>(i * 37 % 41 - 20) / 4, 0});
  make_inexact(numbers);
  float forwards = 0, backwards = 0;
  for (int64_t i = 0; i < 40; ++i) {
    forwards += static_cast<float>(numbers.get(i).number);
    backwards += static_cast<float>(numbers.get(39 - i).number);
  }
  EXPECT_NE(forwards, backwards);
}

// Weights that arrive at run time have no panels.
TEST(SumTiles, OnlyConstantsArePacked) {
  const Recurrence one(4, 64, 1, false);
  EXPECT_TRUE(choose_loops(one.g.graph, machine("x86-64-v3")).plans.at(StepId{0}).tiles.empty());
}

// A tile that is given has no more rows than there are.
TEST(SumTiles, GivenTilesHaveTheRowsThatThereAre) {
  const Hardware hardware = machine("x86-64-v3");
  const auto tile_of = [&](const Dim& rows, Verb verb) {
    const Recurrence one(rows, 64);
    const Verbs verbs{std::move(verb)};
    std::vector<Value> values = one.g.graph.values;
    const LoopPlan schedule = best_plan(std::get<Kernel>(one.g.graph.steps[0]), values, hardware,
                                        Given(&verbs, false, nullptr));
    const loops::Program program = program_of(schedule, values);
    EXPECT_TRUE(loops::verify(program).empty());
    return schedule.tiles.at(0).tile;
  };
  EXPECT_EQ(tile_of(4, {"tile sums", {0, 3, 2}}).rows, 3);
  EXPECT_EQ(tile_of(4, {"tile sums", {0, 3, 2}}).vectors, 2);
  EXPECT_EQ(tile_of(1, {"tile sums", {0, 3, 2}}).rows, 1);
  EXPECT_EQ(tile_of(4, {"tile sums", {0, 90, 2}}), tile_of(4, {"tile sums", {7, 1, 1}}));
}

// Panels are zero beyond the last unit, and lie as tiles read them.
TEST(SumTiles, PanelsAreBlocksOfColumns) {
  Recurrence one(4, 70);
  std::vector<Value> values = one.g.graph.values;
  Kernel kernel = std::get<Kernel>(one.g.graph.steps[0]);
  const std::vector<SumTile> tiles = find_sum_tiles(kernel, values, machine("x86-64-v3"));
  ASSERT_EQ(tiles.size(), 1U);
  const int width = tiles[0].tile.columns();
  const Value& panels = values[static_cast<size_t>(tiles[0].panels)];
  const auto* weights = reinterpret_cast<const float*>(values[1].constant.data);
  const auto* packed = reinterpret_cast<const float*>(panels.constant.data);
  ASSERT_EQ(panels.shape, (std::vector<Dim>{ceildiv(Dim(70), width), 70, width}));
  for (int64_t k = 0; k < 70; ++k) {
    for (int64_t j = 0; j < (70 + width - 1) / width * width; ++j) {
      const float wanted = j < 70 ? weights[j * 70 + k] : 0.0F;
      ASSERT_EQ(packed[(j / width * 70 + k) * width + j % width], wanted) << k << ", " << j;
    }
  }
}

}  // namespace
}  // namespace burin::sum_tiles_test
