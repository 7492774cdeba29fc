// LoopPlans: which kernels become contractions, what their tiles look like, and that packed
// constants keep the meaning.
#include "graph_fixture.h"
#include "kernel/split_axes.h"
#include "select/accumulators.h"
#include "select/axes/guards.h"
#include "select/choose.h"
#include "select/products/operand_packing.h"

namespace burin::select_test {
namespace {

Hardware wide_machine() {
  Hardware hardware;
  hardware.vector.vector_bytes = 64;
  hardware.vector.registers = 32;
  hardware.vector.fma_per_cycle = 2;
  hardware.vector.fma_latency_cycles = 4;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = {{32768, 4, 64, 1}};
  return hardware;
}

TEST(ChooseTile, FitsTheRegistersAndFillsThePipes) {
  for (const int64_t rows : {1, 2, 7, 64, 197, 512}) {
    for (const int64_t columns : {1, 10, 49, 196, 3136}) {
      const Tile tile = choose_tile(rows, columns, wide_machine().vector);
      EXPECT_LE(tile.rows * tile.vectors + tile.vectors + 1, 32);
      EXPECT_EQ(tile.lanes, 16);
      if (rows >= 8 && columns >= 64) {
        EXPECT_GE(tile.rows * tile.vectors, 8) << rows << " x " << columns;
      }
    }
  }
  EXPECT_EQ(choose_tile(1, 1000, wide_machine().vector).rows, 1);
}

std::vector<Version> versions_of_rows(const Dim& rows, int tile, bool few = false) {
  EdgeOptions edges;
  edges.rows = true;
  edges.small_m = few;
  if (few) edges.accumulators = kMostAccumulators;
  return choose_versions(rows, 4096, Tile{tile, 2, 16}, wide_machine().vector, edges).rows;
}

TEST(ChooseTile, FewerRowsForWhatTheTileLeaves) {
  using List = std::vector<Version>;
  EXPECT_EQ(versions_of_rows(24, 12), List());
  EXPECT_EQ(versions_of_rows(28, 6), (List{{4, 1}}));
  EXPECT_EQ(versions_of_rows(27, 12), (List{{3, 1}}));
  EXPECT_EQ(versions_of_rows(35, 12), List());  // 11 rows: the tile itself
  EXPECT_EQ(versions_of_rows(1, 1), List());
  const Dim seq = sized("seq", 1, 512, 128);
  EXPECT_EQ(versions_of_rows(seq, 12), (List{{1, 1}, {2, 1}, {4, 1}, {6, 1}}));
  EXPECT_EQ(versions_of_rows(seq, 2), (List{{1, 1}}));
  EXPECT_EQ(versions_of_rows(seq * 12, 12), List());
}

TEST(ChooseTile, FewRowsAreSummedInSteps) {
  const std::vector<Version> versions = versions_of_rows(sized("seq", 1, 512, 128), 12, true);
  ASSERT_EQ(versions.size(), 4u);
  // 2 multiplications a cycle, 4 cycles each: eight sums keep the pipes busy, two for each row.
  EXPECT_EQ(versions[0], (Version{1, 4, true}));
  EXPECT_EQ(versions[1], (Version{2, 2, true}));
  EXPECT_EQ(versions[2], (Version{4, 1, false}));
  EXPECT_EQ(versions[3], (Version{6, 1, false}));
  // Where there are always more rows, the last few of them do not run alone.
  for (const Version& version : versions_of_rows(sized("seq", 8, 512, 128), 12, true))
    EXPECT_FALSE(version.small_m) << version.rows;
}

// y = a b, of one row.
LoopPlans row_times(int64_t depth, int64_t columns, const Hardware& hardware) {
  GraphFixture g;
  const Operand a = g.input("a", {1, depth}), b = g.constant("b", {depth, columns}, -1),
                y = g.output("y", {1, columns});
  KernelBuilder kernel;
  const Index m = kernel.axis(1), n = kernel.axis(columns), k = kernel.reduce_axis(depth);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, a.at({m, k}) * b.at({k, n})));
  g.kernel("MatMul", kernel);
  return choose_loops(g.graph, hardware);
}

TEST(SumSteps, AreWhereConstantsStayInTheLastCache) {
  Hardware hardware = wide_machine();
  hardware.memory.caches = {{.size_bytes = 32 << 10}, {.size_bytes = 256 << 10}};
  const auto steps = [&](int64_t depth, int64_t columns) {
    const LoopPlans selection = row_times(depth, columns, hardware);
    const LoopPlan& schedule = selection.plans.at(StepId{0});
    EXPECT_EQ(factor_bytes(selection, selection.graph.values), 4 * depth * columns);
    EXPECT_EQ(schedule.reason.find("sums for each element") != std::string::npos,
              schedule.contraction->tile.accumulators > 1);
    return schedule.contraction->tile.accumulators;
  };
  EXPECT_GT(steps(256, 256), 1);  // as many bytes as the cache has
  EXPECT_EQ(steps(256, 320), 1);
  EXPECT_GT(steps(32, 256), 1);
  EXPECT_EQ(steps(31, 256), 1);  // too few terms to be worth it
  hardware.memory.caches.clear();
  EXPECT_GT(steps(256, 320), 1);
}

TEST(ChooseTile, StepsKeepThePipesBusyAndFit) {
  EdgeOptions edges;
  for (const bool narrow : {false, true}) {
    VectorUnit unit = wide_machine().vector;
    if (narrow) unit.registers = 8;
    for (int rows = 1; rows <= 6; ++rows) {
      for (int vectors = 1; rows * vectors + vectors + 1 <= registers_of(unit) && vectors <= 4;
           ++vectors) {
        edges.accumulators = 1;
        EXPECT_EQ(choose_accumulators(rows, vectors, unit, edges), 1);
        edges.accumulators = kMostAccumulators;
        const int steps = choose_accumulators(rows, vectors, unit, edges);
        const auto fit = [&](int count) {
          return rows * vectors * count + vectors + 1 <= registers_of(unit);
        };
        const auto busy = [&](int count) { return rows * vectors * count >= 8; };
        EXPECT_TRUE(fit(steps)) << rows << " x " << vectors;
        EXPECT_TRUE(busy(steps) || !fit(steps + 1)) << rows << " x " << vectors;
        EXPECT_TRUE(steps == 1 || !busy(steps - 1)) << rows << " x " << vectors;
      }
    }
  }
}

TEST(ChooseTile, FewerVectorsForTheLastColumns) {
  EdgeOptions edges;
  edges.vectors = true;
  const auto vectors = [&](const Dim& columns) {
    std::vector<int> out;
    for (const EdgeColumns& one :
         choose_versions(64, columns, Tile{8, 3, 16}, wide_machine().vector, edges).columns)
      out.push_back(one.vectors);
    return out;
  };
  EXPECT_EQ(vectors(96), std::vector<int>());
  EXPECT_EQ(vectors(49), std::vector<int>{1});
  EXPECT_EQ(vectors(65), std::vector<int>{2});
  EXPECT_EQ(vectors(81), std::vector<int>());  // all three of them
  EXPECT_EQ(vectors(sized("positions", 1, 4096, 3136)), (std::vector<int>{1, 2}));
  edges.ends_vary = true;
  EXPECT_EQ(vectors(96), (std::vector<int>{1, 2}));
}

TEST(ChooseTile, FewColumnsTakeSeveralBlocks) {
  const VectorUnit unit = wide_machine().vector;
  EdgeOptions edges;
  edges.vectors = edges.blocks = true;
  const Tile tile{4, 3, 16};
  const std::vector<EdgeColumns> versions =
      choose_versions(sized("rows", 1, 512, 128), sized("plane", 1, 512, 100), tile, unit, edges)
          .columns;
  ASSERT_EQ(versions.size(), 2u);
  // 2 multiplications a cycle, 4 cycles each: eight sums keep the pipes busy, and registers hold
  // them.
  for (const EdgeColumns& version : versions) {
    EXPECT_GE(version.blocks * tile.rows * version.vectors, 8);
    EXPECT_LE(version.blocks * tile.rows * version.vectors + version.vectors + 1, 32);
  }
  EXPECT_GT(versions[0].blocks, versions[1].blocks);
  // No more blocks than there are, and one where nothing could follow.
  EXPECT_EQ(choose_versions(8, 16, tile, unit, edges).columns.at(0).blocks, 2);
  // Where sums may be apart, several blocks load less; a single one has steps.
  edges.accumulators = kMostAccumulators;
  const auto narrow = [&](const Dim& rows) {
    return choose_versions(rows, 16, tile, unit, edges).columns.at(0);
  };
  EXPECT_GT(narrow(512).blocks, 1);
  EXPECT_EQ(narrow(512).accumulators, 1);
  EXPECT_EQ(narrow(4), (EdgeColumns{1, 1, 2}));
  edges.blocks = false;
  EXPECT_EQ(narrow(512), (EdgeColumns{1, 1, 2}));
  edges.accumulators = 1;
  EXPECT_EQ(narrow(512), (EdgeColumns{1, 1, 1}));
}

TEST(ChooseTile, SizesOfTheRunGetATileForAllOfThem) {
  const VectorUnit unit = wide_machine().vector;
  EdgeOptions edges;
  edges.rows = true;
  // Words are decoded one by one, but there are prompts: with versions beside it the tile has rows.
  const Tile decoder = choose_tile(sized("seq", 1, 512, 1), 4096, unit, edges);
  EXPECT_GT(decoder.rows, 1);
  EXPECT_EQ(choose_tile(sized("seq", 1, 1, 1), 4096, unit, edges).rows, 1);
  // Without versions a single row would pay for the others.
  EXPECT_LE(choose_tile(sized("seq", 1, 4, 1), 4096, unit, {}).rows, 4);
  // Fixed sizes: as before.
  EXPECT_EQ(choose_tile(Dim(64), Dim(196), unit, EdgeOptions{}), choose_tile(64, 196, unit));
  // The smallest plane is not padded to a tile that only the usual one fills.
  const Tile plane = choose_tile(Dim(512), sized("positions", 8, 100, 48), unit, {});
  EXPECT_LE(plane.columns(), 32);
}

KernelGraph convolution(GraphFixture& g) {
  // 3x3, padding 1, stride 2: guards on both spatial axes.
  const Operand x = g.input("x", {1, 4, 9, 9}), y = g.output("y", {1, 6, 5, 5}),
                w = g.constant("w", {6, 4, 3, 3}, -1);
  KernelBuilder kernel;
  const Index m = kernel.axis(6), oh = kernel.axis(5), ow = kernel.axis(5);
  const Index c = kernel.reduce_axis(4), kh = kernel.reduce_axis(3), kw = kernel.reduce_axis(3);
  const Index ih = oh * 2 + kh - 1, iw = ow * 2 + kw - 1;
  const Expr element = Expr::cases({{{{ih, 0, 9}, {iw, 0, 9}}, x.at({0, c, ih, iw})}}, x.zero());
  kernel.write(y, {0, m, oh, ow},
               kernel.reduce(Combiner::sum, {c, kh, kw}, element * w.at({m, c, kh, kw})));
  g.kernel("Conv", kernel);
  return g.graph;
}

TEST(Select, AConvolutionIsAContractionOverPixels) {
  GraphFixture g;
  const KernelGraph graph = convolution(g);
  const LoopPlans selection = choose_loops(graph, wide_machine());
  ASSERT_EQ(selection.plans.size(), 1u);
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.contraction.has_value());
  EXPECT_EQ(schedule.contraction->rows, Dim(6));
  EXPECT_EQ(schedule.contraction->columns, Dim(25));
  EXPECT_EQ(schedule.contraction->depth, Dim(36));
  EXPECT_NE(schedule.contraction->a.prepacked, kNoValue) << "weights are packed now";
  EXPECT_EQ(schedule.contraction->b.prepacked, kNoValue);
  expect_same(graph, selection.graph);
}

TEST(Select, AProductOfTwoRunTimeFactorsPacksNothingNow) {
  GraphFixture g;
  const Operand a = g.input("a", {20, 30}), b = g.input("b", {30, 40}), y = g.output("y", {20, 40});
  KernelBuilder kernel;
  const Index m = kernel.axis(20), n = kernel.axis(40), k = kernel.reduce_axis(30);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, a.at({m, k}) * b.at({k, n})));
  g.kernel("MatMul", kernel);
  const LoopPlans selection = choose_loops(g.graph, wide_machine());
  ASSERT_TRUE(selection.plans.at(StepId{0}).contraction.has_value());
  EXPECT_EQ(selection.graph.values.size(), g.graph.values.size());
  EXPECT_FALSE(selection.plans.at(StepId{0}).scratch_bytes.is_constant(0));
  expect_same(g.graph, selection.graph);
}

// A plane in windows of 7 x 7, of which the last ones hang over its edge: where a row of the
// product lies takes divisions and conditions, once per row in pieces along the depth.
TEST(Select, RowsThatTakeDivisionsArePackedInPieces) {
  GraphFixture g;
  const Operand x = g.input("x", {16, 16, 40}), w = g.constant("w", {40, 48}),
                y = g.output("y", {9, 49, 48});
  KernelBuilder kernel;
  const Index window = kernel.axis(9), at = kernel.axis(49), n = kernel.axis(48),
              k = kernel.reduce_axis(40);
  const Index row = floordiv(window, 3) * 7 + floordiv(at, 7),
              column = mod(window, 3) * 7 + mod(at, 7);
  const Expr inside =
      Expr::cases({{{{row, 0, 16}, {column, 0, 16}}, x.at({row, column, k})}}, x.zero());
  kernel.write(y, {window, at, n}, kernel.reduce(Combiner::sum, {k}, inside * w.at({k, n})));
  g.kernel("Windows", kernel);
  const LoopPlans selection = choose_loops(g.graph, wide_machine());
  ASSERT_TRUE(selection.plans.at(StepId{0}).contraction.has_value());
  EXPECT_GT(selection.plans.at(StepId{0}).contraction->a.pack_points, 0);
  expect_same(g.graph, selection.graph);
  // Rows that lie one after the other are read as they are.
  GraphFixture plain;
  const Operand px = plain.input("x", {64, 40}), pw = plain.constant("w", {40, 48}),
                py = plain.output("y", {64, 48});
  matmul(plain, "MatMul", px, pw, py);
  EXPECT_EQ(
      choose_loops(plain.graph, wide_machine()).plans.at(StepId{0}).contraction->a.pack_points, 0);
  // But lane by lane where it is dynamic how many there are.
  GraphFixture sized_rows;
  const Dim rows = sized("rows", 1, 512, 64);
  rows.collect_symbols(sized_rows.graph.symbols);
  const Operand sx = sized_rows.input("x", {rows, 40}), sw = sized_rows.constant("w", {40, 48}),
                sy = sized_rows.output("y", {rows, 48});
  matmul(sized_rows, "MatMul", sx, sw, sy);
  const LoopPlans copied = choose_loops(sized_rows.graph, wide_machine());
  EXPECT_EQ(copied.plans.at(StepId{0}).contraction->a.pack_points, kCopied);
  expect_same(sized_rows.graph, copied.graph, {{"rows", 5}});
}

TEST(Select, IntegersAndRowsKeepTheirGenericLoops) {
  GraphFixture g;
  const Operand a = g.input("a", {20, 30}, Type::i32), b = g.input("b", {30, 40}, Type::i32),
                y = g.output("y", {20, 40}, Type::i32);
  KernelBuilder kernel;
  const Index m = kernel.axis(20), n = kernel.axis(40), k = kernel.reduce_axis(30);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, a.at({m, k}) * b.at({k, n})));
  g.kernel("MatMul", kernel);
  EXPECT_FALSE(choose_loops(g.graph, wide_machine()).plans.at(StepId{0}).contraction.has_value());
}

TEST(Guards, AConditionIsTheBoundsOfItsAxis) {
  const Index outer = Index::axis(0, 10), inner = Index::axis(1, 3);
  // 0 <= 2*outer + inner - 1 < 18
  const auto bounds = bounds_of({outer * 2 + inner - 1, 0, 18}, 1);
  ASSERT_TRUE(bounds.has_value());
  for (int64_t o = 0; o < 10; ++o) {
    const auto at = [&](const Index& index) {
      return index.evaluate([&](const Index&) { return o; });
    };
    for (int64_t i = 0; i < 3; ++i) {
      const bool holds = 2 * o + i - 1 >= 0 && 2 * o + i - 1 < 18;
      EXPECT_EQ(holds, i >= at(bounds->begin) && i < at(bounds->end)) << o << " " << i;
    }
  }
  // With a negative coefficient too.
  const auto turned = bounds_of({5 - inner * 2, 0, 4}, 1);
  ASSERT_TRUE(turned.has_value());
  EXPECT_EQ(turned->begin, Index(1));
  EXPECT_EQ(turned->end, Index(3));
}

TEST(SplitAxes, DivisionsOfAReshapeDisappear) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 8, 5}), y = g.output("y", {8, 30});
  // y = x transposed to (8, 6, 5) and flattened: the second axis is 6 x 5.
  g.map("Flatten", y, [&](const Indices& at) {
    return x.at({floordiv(at[1], 5), at[0], mod(at[1], 5)});
  });
  const Kernel split = split_axes(std::get<Kernel>(g.graph.steps[0]));
  EXPECT_EQ(split.axes.size(), 3u);
  visit_indices(split.writes[0].value, [](const Index& index) {
    EXPECT_NE(index.kind(), IndexKind::floordiv);
    EXPECT_NE(index.kind(), IndexKind::mod);
  });
  KernelGraph after = g.graph;
  after.steps[0] = split;
  expect_same(g.graph, after);
}

// Copies of what may be empty: there are two, whatever the size of one is.
TEST(SplitAxes, ADivisorThatMayBeNothingDividesWithoutRemainder) {
  GraphFixture g;
  const Dim size = sized("n", 0, 8);
  size.collect_symbols(g.graph.symbols);
  const Operand x = g.input("x", {size}), y = g.output("y", {size * 2});
  g.map("Tile", y, [&](const Indices& at) { return x.at({mod(at[0], size)}); });
  const Kernel split = split_axes(std::get<Kernel>(g.graph.steps[0]));
  ASSERT_EQ(split.axes.size(), 2u);
  EXPECT_EQ(split.axes[0].extent, Dim(2));
  EXPECT_EQ(split.axes[1].extent, size);
}

}  // namespace
}  // namespace burin::select_test
