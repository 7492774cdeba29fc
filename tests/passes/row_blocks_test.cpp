// Products whose rows are packed in blocks: which are, how large a block is, what of scratch that
// leaves, and what the checker finds.
#include "select/rows/row_blocks.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/rows/back_to_back.h"
#include "small_hardware.h"

namespace burin::row_blocks_test {
namespace {

constexpr int64_t kNear = 4096;  // bytes: half of the second cache

Hardware machine() {
  Hardware hardware = small_hardware({{1024, 4, 64, 1}, {2 * kNear, 12, 32, 1}});
  hardware.clock_mhz = 1000;
  hardware.threads_max = 4;
  hardware.thread_start_us = 1;
  return hardware;
}

// x[rows, depth] times constants [depth, columns]; of a width that is dynamic: times
// another input.
LoopPlan product(const Dim& rows, int64_t depth, int64_t columns, bool constant = true,
                 const std::vector<Symbol>& symbols = {}) {
  GraphFixture g;
  g.graph.symbols = symbols;
  const Operand x = g.input("x", {rows, depth}), w = constant
                                                         ? g.constant("w", {depth, columns}, -1)
                                                         : g.input("w", {depth, columns});
  matmul(g, "MatMul", x, w, g.output("y", {rows, columns}));
  const LoopPlans out = choose_loops(g.graph, machine());
  return out.plans.at(StepId{0});
}

TEST(RowBlocks, PanelsThatStayNearAreMadeAtOnce) {
  const LoopPlan schedule = product(32, 32, 24);
  EXPECT_EQ(schedule.contraction->block_rows, 0);
  EXPECT_GE(at_hints(schedule.scratch_bytes), 32 * 32 * 4);
}

TEST(RowBlocks, PanelsOfABlockStayNear) {
  const LoopPlan schedule = product(640, 32, 8);
  const int64_t block = schedule.contraction->block_rows;
  ASSERT_GT(block, 0);
  EXPECT_EQ(block % schedule.contraction->tile.rows, 0);
  EXPECT_LE(block * 32 * 4, kNear);
  EXPECT_LE(at_hints(schedule.scratch_bytes), kNear);
  EXPECT_NE(schedule.reason.find("rows in blocks of " + std::to_string(block)), std::string::npos);
}

// Each block reads all columns. Where these do not fit in the second cache, neither may the panels
// of all rows.
TEST(RowBlocks, BlocksHaveRowsEnoughToReadTheColumnsAgain) {
  EXPECT_EQ(product(8, 256, 512).contraction->block_rows, 0);
  const int64_t least = back_to_back_room(machine()).distant_rows;
  const LoopPlan schedule = product(4 * least, 256, 512);
  const ContractionSchedule& contraction = *schedule.contraction;
  ASSERT_GT(contraction.block_rows, 0);
  EXPECT_GT(contraction.block_rows + contraction.tile.rows, least);
  EXPECT_LE(contraction.block_rows, least);
}

TEST(RowBlocks, ColumnsThatAreNotThereYetArePackedOnce) {
  EXPECT_EQ(product(640, 32, 24, false).contraction->block_rows, 0);
}

TEST(RowBlocks, RowsOfTheRunTakeNoMoreScratchThanTheyHave) {
  const Symbol rows =
      std::make_shared<const SymbolInfo>(SymbolInfo{"rows", SymbolOrigin::param, 1, 4096, 640});
  const LoopPlan schedule = product(Index::symbol(rows), 32, 8, true, {rows});
  ASSERT_GT(schedule.contraction->block_rows, 0);
  const auto bytes = [&](int64_t count) {
    return schedule.scratch_bytes.evaluate([&](const Index&) { return count; });
  };
  EXPECT_LE(bytes(4096), kNear);
  EXPECT_LT(bytes(1), bytes(640));
}

TEST(RowBlocks, TheCheckerFindsBlocksThatDoNotFit) {
  const LoopPlan good = product(640, 32, 8);
  ASSERT_EQ(check_row_blocks(good), "");
  LoopPlan bad = good;
  bad.contraction->block_rows += 1;
  EXPECT_EQ(check_row_blocks(bad),
            "a block of rows ends inside of those that are multiplied together");
  bad = good;
  bad.contraction->block_rows *= 2;
  EXPECT_EQ(check_row_blocks(bad), "panels of a block are larger than scratch");
  bad = good;
  bad.contraction->b.is_prepacked = false;
  EXPECT_EQ(check_row_blocks(bad), "panels of columns are packed for each block of rows");
  bad = good;
  bad.places[0].scalar = false;
  bad.places[0].offset = {64};
  EXPECT_EQ(check_row_blocks(bad), "panels of a block reach into a let");
}

}  // namespace
}  // namespace burin::row_blocks_test
