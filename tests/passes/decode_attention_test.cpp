// Decode attention, of few queries: when rows of K and V are read as they lie, beside tiles or
// instead of them, and where its arrays lie in scratch.
#include "select/products/decode_attention.h"

#include "graph_fixture.h"
#include "select/choose.h"
#include "select/products/attention_schedule.h"
#include "small_hardware.h"

namespace burin::decode_attention_test {
namespace {

constexpr int64_t kHeads = 4, kKeys = 5, kDepth = 8, kElements = 3;

Expr number(double value) { return Expr::constant(Type::f32, value); }

// [heads, queries, depth] and the like; K may be scaled, or turned.
const KernelGraph& plain_attention(GraphFixture& g, const Dim& queries, const Dim& keys,
                                   bool scaled = false, bool turned = false) {
  const Operand q = g.input("q", {kHeads, queries, kDepth}),
                k = turned ? g.input("k", {kHeads, kDepth, keys})
                           : g.input("k", {kHeads, keys, kDepth}),
                v = g.input("v", {kHeads, keys, kElements}),
                y = g.output("y", {kHeads, queries, kElements});
  KernelBuilder kernel;
  const Index h = kernel.axis(kHeads), i = kernel.axis(queries), e = kernel.axis(kElements),
              j = kernel.axis(keys), d = kernel.reduce_axis(kDepth);
  const Expr key = turned ? k.at({h, d, j}) : k.at({h, j, d});
  const Expr score =
      kernel.reduce(Combiner::sum, {d}, q.at({h, i, d}) * (scaled ? key * number(2) : key));
  const Expr most = kernel.reduce(Combiner::max, {j}, score);
  const Expr power = Expr::unary(Unary::exp, score - most);
  const Expr weight = power / kernel.reduce(Combiner::sum, {j}, power);
  kernel.write(y, {h, i, e}, kernel.reduce(Combiner::sum, {j}, weight * v.at({h, j, e})));
  g.kernel("Attention", kernel);
  return g.graph;
}

LoopPlan scheduled(const KernelGraph& graph, bool versions = true, bool brief = false) {
  SelectOptions options;
  if (!versions) options.without = words_of_switch("versions");
  Hardware hardware = small_hardware({{32768, 4, 64, 1}});
  if (brief) hardware.optimise = Optimise::kSize;
  const LoopPlans selection = choose_loops(graph, hardware, options);
  return selection.plans.at(StepId{0});
}

Dim any_size(const char* name, int64_t most) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::param;
  info.min = 1;
  info.max = most;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

TEST(DecodeAttention, OneQueryReadsRowsInPlace) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(plain_attention(g, 1, kKeys));
  ASSERT_TRUE(schedule.attention && schedule.attention->decode);
  EXPECT_FALSE(schedule.attention->tiled);
  const DecodeAttention& decode = *schedule.attention->decode;
  EXPECT_TRUE(decode.is_only());
  // 5 scores, a query of 8, sums of 3, each from a line of its own.
  EXPECT_EQ(schedule.scratch_bytes, Dim(3 * 64));
}

TEST(DecodeAttention, DecodeAttentionHaveAVersionBesideTiles) {
  GraphFixture g;
  const Dim queries = any_size("queries", 512), keys = any_size("keys", 1024);
  const KernelGraph& graph = plain_attention(g, queries, keys);
  const LoopPlan schedule = scheduled(graph);
  ASSERT_TRUE(schedule.attention && schedule.attention->decode);
  EXPECT_TRUE(schedule.attention->tiled);
  // Those of a block of a tile, and the first of a second one.
  const int columns = schedule.attention->columns();
  EXPECT_EQ(schedule.attention->decode->most, columns + columns / 4);
  // Rows of 8 and 3 elements have whole vectors of 4 lanes at most.
  EXPECT_EQ(schedule.attention->decode->lanes, 4);
  EXPECT_FALSE(scheduled(graph, false).attention->decode);
}

TEST(DecodeAttention, ManyQueriesHaveTilesOnly) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(plain_attention(g, 64, 64));
  ASSERT_TRUE(schedule.attention);
  EXPECT_TRUE(schedule.attention->tiled);
  EXPECT_FALSE(schedule.attention->decode);
}

// Where code is to be short, all queries go one by one through one version, in the scratch of one.
TEST(DecodeAttention, ShortCodeHasNoTiles) {
  for (const Dim& queries : {Dim(20), any_size("queries", int64_t{1} << 40)}) {
    GraphFixture g;
    const LoopPlan schedule = scheduled(plain_attention(g, queries, kKeys), true, true);
    ASSERT_TRUE(schedule.attention && schedule.attention->decode);
    EXPECT_FALSE(schedule.attention->tiled);
    const DecodeAttention& decode = *schedule.attention->decode;
    EXPECT_TRUE(decode.is_only());
    EXPECT_EQ(decode.most, 1);
    EXPECT_EQ(decode.rows, 1);
    EXPECT_EQ(decode.vectors, 1);
    GraphFixture one;
    EXPECT_EQ(schedule.scratch_bytes, scheduled(plain_attention(one, 1, kKeys)).scratch_bytes);
  }
  // Rows that lie nowhere are packed, and packing is for tiles.
  GraphFixture g;
  const LoopPlan schedule = scheduled(plain_attention(g, 20, kKeys, true), true, true);
  ASSERT_TRUE(schedule.attention);
  EXPECT_TRUE(schedule.attention->tiled);
  EXPECT_FALSE(schedule.attention->decode);
}

TEST(DecodeAttention, RowsThatAreComputedTakeTurns) {
  GraphFixture scaled, turned;
  const Dim queries = any_size("queries", 4), keys = any_size("keys", 1024);
  const DecodeAttention rows =
      *scheduled(plain_attention(scaled, queries, keys, true)).attention->decode;
  EXPECT_EQ(rows.k.tensor, kNoValue);
  EXPECT_FALSE(rows.k.rows_inside);
  EXPECT_NE(rows.v.tensor, kNoValue);
  const DecodeAttention columns =
      *scheduled(plain_attention(turned, queries, keys, false, true)).attention->decode;
  EXPECT_EQ(columns.k.tensor, kNoValue);
  EXPECT_TRUE(columns.k.rows_inside);
}

TEST(DecodeAttention, ArraysOfTheVersionThatRunsAreApart) {
  for (const bool is_scaled : {false, true}) {
    GraphFixture g;
    const Dim queries = any_size("queries", 512), keys = any_size("keys", 1024);
    const KernelGraph& graph = plain_attention(g, queries, keys, is_scaled);
    const Hardware hardware = small_hardware({{32768, 4, 64, 1}});
    std::optional<Attention> attention =
        find_attention_schedule(std::get<Kernel>(graph.steps[0]), graph.values, hardware);
    ASSERT_TRUE(attention);
    add_decode_attention(*attention, graph.values, hardware);
    ASSERT_TRUE(attention->schedule.decode);
    const auto bytes_at = [&](int64_t q, int64_t k, const Dim& size) {
      return size.evaluate(
          [&](const Index& leaf) { return leaf.as_symbol()->name == "queries" ? q : k; });
    };
    int64_t before = 0;
    for (const int64_t q : {1, 2, 3, 4, 5, 8, 9, 16, 17, 512}) {
      for (const int64_t k : {1, 15, 16, 17, 1024})
        EXPECT_EQ(check_scratch(*attention, [&](const Dim& d) { return bytes_at(q, k, d); }), "")
            << q << " x " << k;
      const int64_t bytes = bytes_at(q, 64, attention->scratch_bytes);
      EXPECT_GE(bytes, before);
      before = bytes;
    }
    // One query needs no room for K and V.
    EXPECT_LT(bytes_at(1, 1024, attention->scratch_bytes), 1024 * 4 + 1024);
    // The checker sees what overlaps, and what ends beyond.
    Attention broken = *attention;
    broken.schedule.decode->scores_offset = broken.schedule.decode->q_offset;
    EXPECT_NE(check_scratch(broken, [&](const Dim& d) { return bytes_at(1, 64, d); }), "");
    broken = *attention;
    broken.scratch_bytes = 64;
    EXPECT_NE(check_scratch(broken, [&](const Dim& d) { return bytes_at(1, 64, d); }), "");
    EXPECT_NE(check_scratch(broken, [&](const Dim& d) { return bytes_at(512, 64, d); }), "");
  }
}

}  // namespace
}  // namespace burin::decode_attention_test
