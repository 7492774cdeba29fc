// Cost of programs: cycles against what pipes, latencies and bandwidths allow.
#include "cost/cost.h"
#include "cost/issue.h"
#include "graph_fixture.h"
#include "isa/all_rows.h"
#include "loops/naive.h"
#include "loops/program_text.h"
#include "select/choose.h"
#include "select/select.h"
#include "select/tiles/register_tile.h"
#include "small_hardware.h"

namespace burin::cost_cycles_test {
namespace {

using loops::Program;

const KernelGraph& product(GraphFixture& g, int64_t m, int64_t k, int64_t n, bool constant) {
  const Operand x = g.input("x", {m, k}), y = g.output("y", {m, n}),
                w = constant ? g.constant("w", {k, n}) : g.input("w", {k, n});
  matmul(g, "MatMul", x, w, y);
  return g.graph;
}

Hardware machine(std::vector<int64_t> caches) {
  Hardware hardware = small_hardware({});
  for (const int64_t size : caches) hardware.memory.caches.push_back({size, 4, 64, 1});
  hardware.memory.cache_line_bytes = 64;
  hardware.memory.bandwidth_mb_per_s = 1000;
  hardware.clock_mhz = 1000;
  return hardware;
}

// A product of prepacked columns runs at what the pipes allow, but for edges and loads.
TEST(CostCycles, LargeProductsTakeWhatTheirTilesTake) {
  const Hardware hardware = machine({32768, 1 << 20});
  GraphFixture g;
  const KernelGraph graph = product(g, 96, 256, 96, true);
  const LoopPlans chosen = choose_loops(graph, hardware);
  const Tile& tile = chosen.plans.at(StepId{0}).contraction->tile;
  const Selection selection = select(graph, hardware);
  const KernelSchedule& schedule = selection.kernels.at(StepId{0});
  const cost::Cost cost = cost::cost_of(*schedule.program, hardware);
  const int64_t peak = 96 * 256 * 96 / (4 * hardware.vector.fma_per_cycle);
  EXPECT_GE(cost.arithmetic, peak);
  const int64_t tiles = ((96 + tile.rows - 1) / tile.rows) *
                        ((96 + tile.columns() - 1) / tile.columns()) * 256 *
                        cost_of_step(tile.rows, tile.vectors, 1, hardware.vector) / cost::kCycle;
  EXPECT_NEAR(static_cast<double>(cost.arithmetic) / static_cast<double>(tiles), 1.0, 0.12);
}

// Bytes into a cache come at the bandwidth of the one behind it, into the last one at that of
// memory; what crosses several takes the time of each.
TEST(CostCycles, MemoryTakesWhatItsBandwidthsAllow) {
  GraphFixture g;
  const Operand x = g.input("x", {1024}), y = g.output("y", {1024});
  g.map("Copy", y, [&](const Indices& at) { return x.at(at); });
  const Program copy = loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
  Hardware hardware = machine({1024, 2048});
  hardware.memory.caches[1].bandwidth_bytes_per_cycle = 4;
  hardware.memory.bandwidth_mb_per_s = 8000;  // 8 bytes a cycle of 1000 MHz
  const cost::Cost near = cost::cost_of(copy, hardware);
  EXPECT_EQ(near.moved, (std::vector<int64_t>{8192, 8192}));
  // What is stored comes, and goes.
  EXPECT_EQ(near.memory, (8192 + 4096) / 4 + (8192 + 4096) / 8);
  hardware.memory.bandwidth_mb_per_s = 2000;
  EXPECT_EQ(cost::cost_of(copy, hardware).memory, (8192 + 4096) / 4 + (8192 + 4096) / 2);
  hardware.clock_mhz = 4000;
  const cost::Cost far = cost::cost_of(copy, hardware);
  EXPECT_EQ(far.memory, (8192 + 4096) / 4 + (8192 + 4096) * 2);
  EXPECT_EQ(far.cycles(), far.memory + far.arithmetic / 2);
}

// What a kernel touches and a cache has room for is there, unless it comes from afar.
TEST(CostCycles, TensorsFromAfarComeAnew) {
  GraphFixture g;
  const Operand x = g.input("x", {1024}), y = g.output("y", {1024});
  g.map("Copy", y, [&](const Indices& at) { return x.at(at); });
  const Program copy = loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
  Hardware hardware = machine({16384, 1 << 20});
  hardware.memory.caches[1].bandwidth_bytes_per_cycle = 4;
  hardware.memory.bandwidth_mb_per_s = 2000;  // 2 bytes a cycle
  EXPECT_EQ(cost::cost_of(copy, hardware).memory, 0);
  cost::Question question;
  question.from_afar = [&](ValueId id) { return id == x.value(); };
  EXPECT_EQ(cost::cost_of(copy, hardware, question).memory, 0);
  question.bytes_between = 1 << 15;
  EXPECT_EQ(cost::cost_of(copy, hardware, question).memory, 4096 / 4);
  question.bytes_between = 1 << 21;
  EXPECT_EQ(cost::cost_of(copy, hardware, question).memory, 4096 / 4 + 4096 / 2);
}

// What no vectors take: all of it where there are none, little of a product's tiles.
TEST(CostCycles, ElementsOneByOneAreTold) {
  const Hardware hardware = machine({16384, 1 << 20});
  Hardware scalar = hardware;
  scalar.vector.vector_bytes = 0;
  GraphFixture g;
  const Operand x = g.input("x", {1024}), y = g.output("y", {1024});
  g.map("Copy", y, [&](const Indices& at) { return x.at(at); });
  const Program copy = loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
  EXPECT_EQ(cost::cost_of(copy, hardware).one_by_one, 0);
  const cost::Cost alone = cost::cost_of(copy, scalar);
  EXPECT_GT(alone.one_by_one * 10, alone.arithmetic * 9);
  GraphFixture large;
  const Selection tiles = select(product(large, 96, 256, 96, true), hardware);
  const cost::Cost product_cost = cost::cost_of(*tiles.kernels.at(StepId{0}).program, hardware);
  EXPECT_LT(product_cost.one_by_one * 10, product_cost.arithmetic);
}

// Sums that wait for each other cost the latency of each addition; several at a time do not.
TEST(CostCycles, ChainsOfSumsCostTheirLatency) {
  const Hardware hardware = machine({32768});
  const auto cycles = [&](int rows) {
    const std::string row = std::to_string(rows);
    const Program one = loops::parse(
        "program \"p\"\nscratch 0\nvar i0 row < " + row +
            "\nvar i1 depth < 100\n"
            "buffer a f32 [100, " +
            row +
            "] argument of 0\nbuffer b f32 [100, 4] argument of 1\n"
            "buffer sums f32 [" +
            row +
            ", 4] registers\n"
            "{ alloc sums for i1 in 0 .. 100 { for i0 in 0 .. " +
            row +
            " unrolled { call add_product_f32x4 c: sums[i0, 0 : 1, 4], a: a[i1, i0 : 1, 1], "
            "b: b[i1, 0 : 1, 4] } } }",
        isa::all_rows());
    return cost::cost_of(one, hardware).arithmetic;
  };
  // Two pipes, four cycles: eight sums fill them. Counting is done by then; the loop takes two
  // besides. Of a load 30 % of a cycle are not hidden, of a vector twice that.
  const int64_t turns = 100, loads = 30;
  EXPECT_EQ(cycles(1), turns * 4 + turns * loads * (1 + 2) / 100 + 2);
  EXPECT_EQ(cycles(4), turns * 4 + turns * loads * (4 + 2) / 100 + 2);
  // 17 loads by two pipes take longer than 16 operations.
  EXPECT_EQ(cycles(16), turns * 17 / 2 + turns * loads * (16 + 2) / 100 + 2);
  // The naive program has one sum, which waits.
  GraphFixture g;
  const KernelGraph& graph = product(g, 1, 1024, 1, false);
  const Program naive = loops::naive_program(std::get<Kernel>(graph.steps[0]), graph.values);
  EXPECT_GE(cost::cost_of(naive, hardware).arithmetic, 1024 * hardware.vector.fma_latency_cycles);
}

// Whole rows in vectors, functions too, single elements where they lie apart.
TEST(CostCycles, StoresAreVectorsWhereElementsLieTogether) {
  const Hardware hardware = machine({1 << 20});
  const auto cycles = [&](const std::function<Expr(const Operand& x, const Indices& at)>& f) {
    GraphFixture g;
    const Operand x = g.input("x", {64, 64}), y = g.output("y", {64, 64});
    g.map("Map", y, [&](const Indices& at) { return f(x, at); });
    return cost::cost_of(loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values),
                         hardware)
        .arithmetic;
  };
  const int64_t together =
      cycles([](const Operand& x, const Indices& at) { return x.at(at) * 2.0; });
  const int64_t apart = cycles([](const Operand& x, const Indices& at) {
    return x.at({at[1], at[0]}) * 2.0;
  });
  const int64_t exponents =
      cycles([](const Operand& x, const Indices& at) { return Expr::unary(Unary::exp, x.at(at)); });
  const int64_t remainders = cycles([](const Operand& x, const Indices& at) {
    return Expr::binary(Binary::fmod, x.at(at), x.at({at[1], at[0]}));
  });
  EXPECT_GT(apart, 2 * together);
  EXPECT_GE(exponents, 64 * 64 / 4 * int64_t{hardware.vector.vector_function_cycles});
  EXPECT_LT(exponents, 64 * 64 / 4 * int64_t{hardware.vector.vector_function_cycles + 4});
  EXPECT_GE(remainders, 64 * 64 * int64_t{hardware.vector.function_cycles});
  EXPECT_LT(together, 64 * 64);
}

Program parsed(const std::string& text) { return loops::parse(text, isa::all_rows()); }

// Partial sums in lanes are vectors although a Let names the element; a sum of floats in order is
// none.
TEST(CostCycles, SumsInLanesAreVectors) {
  const Hardware hardware = machine({1 << 20});
  const Program in_lanes = parsed(R"(program "p"
scratch 0
var i0 i < 1024
var i1 lane < 16
var i2 first < 1024
buffer x f32 [1024] argument of 0
buffer lanes f32 [16] stack
{
  alloc lanes
  for i2 in 0 .. 1024 step 16 {
    for i1 in 0 .. 16 {
      let i0 = i1 + i2
      lanes[i1] += x[i0]
    }
  }
})");
  const Program in_order = parsed(R"(program "p"
scratch 0
var i0 i < 1024
buffer x f32 [1024] argument of 0
buffer sum f32 [] local
{
  alloc sum
  for i0 in 0 .. 1024 {
    sum[] += x[i0]
  }
})");
  EXPECT_GE(cost::cost_of(in_order, hardware).arithmetic,
            1024 * hardware.vector.fma_latency_cycles);
  // Four vectors of four a turn, which wait for those of the turn before.
  EXPECT_LE(cost::cost_of(in_lanes, hardware).arithmetic,
            1024 / 16 * (hardware.vector.fma_latency_cycles + 1));
}

// What moves with no variable of a loop is made before it.
TEST(CostCycles, InvariantValuesAreMadeOnce) {
  const Hardware hardware = machine({1 << 20});
  const auto cycles = [&](const std::string& value) {
    const std::string text = R"(program "p"
scratch 0
var i0 i < 4096
buffer x f32 [4096] argument of 0
buffer s f32 [] argument of 1
buffer y f32 [4096] argument of 2 written
{
  for i0 in 0 .. 4096 {
    y[i0] = VALUE
  }
})";
    std::string with = text;
    with.replace(with.find("VALUE"), 5, value);
    return cost::cost_of(parsed(with), hardware).arithmetic;
  };
  const int64_t plain = cycles("(x[i0] * s[])");
  EXPECT_EQ(cycles("(x[i0] * (1 / sqrt(s[])))"), plain);
  EXPECT_GT(cycles("(s[] * (1 / sqrt(x[i0])))"), 3 * plain);
}

// A machine that starts one instruction at a time takes one cycle for each.
TEST(CostCycles, InstructionsStartOneAfterTheOther) {
  Hardware hardware = machine({1 << 20});
  hardware.vector.vector_bytes = 0;
  hardware.vector.issue_per_cycle = 1;
  GraphFixture g;
  const Operand x = g.input("x", {1000}), y = g.output("y", {1000});
  g.map("Map", y, [&](const Indices& at) { return x.at(at) * 2.0 + 1.0; });
  // Load, multiply, add, store; count and jump.
  const Program naive = loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
  const int64_t cycles = cost::cost_of(naive, hardware).arithmetic;
  EXPECT_GE(cycles, 6 * 1000);
  EXPECT_LE(cycles, 6 * 1000 + 1000 * hardware.vector.exposed_load_percent / 100);
}

// One call of what threads share: its part, and all that every call does.
TEST(CostCycles, ACallTakesItsPart) {
  const Program shared = parsed(R"(program "p"
scratch 256
var i0 i < 64
var i1 j < 64
var i2 first < 65
var i3 last < 65
buffer x f32 [64, 64] argument of 0
buffer y f32 [64, 64] argument of 1 written
buffer row f32 [64] scratch at 0
{
  for i2 in 0 .. 64 step 16 thread to i3 {
    let i3 = min(64, i2 + 16)
    alloc row
    for i1 in 0 .. 64 {
      row[i1] = x[0, i1]
    }
    for i0 in i2 .. i3 {
      for i1 in 0 .. 64 {
        y[i0, i1] = (x[i0, i1] + row[i1])
      }
    }
  }
})");
  const Hardware hardware = machine({1 << 20});
  const auto turns = [&](const cost::Question& question) {
    return cost::turns_of_loops(shared, hardware, question);
  };
  EXPECT_EQ(turns({}), (std::vector<int64_t>{4, 4 * 64, 64, 64 * 64}));
  cost::Question question;
  question.one_call = true;
  EXPECT_EQ(turns(question), (std::vector<int64_t>{1, 64, 64, 64 * 64}));
  question = {};
  question.parts = {{16, 24}};
  EXPECT_EQ(turns(question), (std::vector<int64_t>{1, 64, 8, 8 * 64}));
  EXPECT_LT(cost::cost_of(shared, hardware, question).cycles() * 4,
            cost::cost_of(shared, hardware).cycles());
}

}  // namespace
}  // namespace burin::cost_cycles_test
