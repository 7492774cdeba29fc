// Copies that are fused horizontally with a kernel that computes another part of the same tensor: a
// class token in front of patches.
#include "select/threads/fused_copies.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/threads/parallel.h"
#include "small_hardware.h"

namespace burin::fused_copies_test {
namespace {

constexpr int64_t kColumns = 24;

Hardware machine(int threads) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}, {1 << 20, 12, 32, 1}});
  hardware.clock_mhz = 1000;
  hardware.threads_max = threads;
  hardware.thread_start_us = 1;
  return hardware;
}

FuseOptions options() {
  FuseOptions out;
  out.row_epilogue_bytes = 1 << 19;  // of a CPU
  return out;
}

// whole = [token; x * w], of 1 + rows rows; y = whole * v and z = whole + whole read all of it.
struct Token {
  GraphFixture g;
  Operand x, token, whole, y, z;
  explicit Token(const Dim& rows, bool read_token = false)
      : x(g.input("x", {rows, 16})),
        token(g.constant("token", {1, kColumns}, 2)),
        whole(g.value("whole", {rows + 1, kColumns})),
        y(g.output("y", {rows + 1, 8})),
        z(g.output("z", {rows + 1, kColumns})) {
    rows.collect_symbols(g.graph.symbols);
    const Operand patches = g.value("patches", {rows, kColumns});
    matmul(g, "MatMul", x, g.constant("w", {16, kColumns}), patches);
    const Operand first = read_token ? g.input("given", {1, kColumns}) : token;
    g.map("Concat", whole, [&](const Indices& at) {
      return Expr::cases({{{{at[0], 0, 1}}, first.at({0, at[1]})}}, patches.at({at[0] - 1, at[1]}));
    });
    matmul(g, "MatMul_1", whole, g.constant("v", {kColumns, 8}, 1), y);
    g.map("Add", z, [&](const Indices& at) { return whole.at(at) + whole.at(at); });
  }
};

int count_moves(const KernelGraph& graph) {
  int count = 0;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    bool moves = kernel.lets.empty();
    for (const Write& write : kernel.writes)
      moves = moves && (write.value.kind() == ExprKind::load);
    count += moves;
  });
  return count;
}

const Kernel& host(const KernelGraph& graph) {
  const Kernel* found = nullptr;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    if (split_fused_copies(kernel)) found = &kernel;
  });
  EXPECT_NE(found, nullptr) << to_string(graph);
  return *found;
}

TEST(FusedCopies, ATokenIsWrittenByWhoMakesThePatches) {
  for (const bool read : {false, true}) {
    const Token model(37, read);
    const KernelGraph fused = fuse(model.g.graph, options());
    check_kernel_graph(fused);
    EXPECT_EQ(count_moves(fused), 0) << to_string(fused);
    EXPECT_EQ(count_kernels(fused), 3) << to_string(fused);
    expect_same(model.g.graph, fused);
  }
}

// On a device the copy is a launch of its own.
TEST(FusedCopies, NotWithoutLoopsOfACpu) {
  const Token model(37);
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_EQ(count_moves(fused), 1) << to_string(fused);
}

TEST(FusedCopies, RowsOfTheCaller) {
  const Symbol rows = std::make_shared<const SymbolInfo>(
      SymbolInfo{"rows", SymbolOrigin::param, 1, 512, 64, nullptr});
  const Token model(Index::symbol(rows));
  const KernelGraph fused = fuse(model.g.graph, options());
  EXPECT_EQ(count_moves(fused), 0) << to_string(fused);
  for (const int64_t n : {1, 5, 40}) expect_same(model.g.graph, fused, {{"rows", n}});
}

// The kernel keeps its tiles and is cut for threads; together they write the token once.
TEST(FusedCopies, TheHostKeepsItsTilesAndThreads) {
  const Token model(4096);
  const KernelGraph fused = fuse(model.g.graph, options());
  const LoopPlans selection = choose_loops(fused, machine(4));
  int carriers = 0;
  for (const auto& [step, schedule] : selection.plans) {
    if (!split_fused_copies(schedule.kernel)) continue;
    ++carriers;
    EXPECT_TRUE(schedule.contraction.has_value()) << to_string(schedule);
    EXPECT_TRUE(schedule.cut.has_value()) << to_string(schedule);
    EXPECT_EQ(check_cut(schedule), "");
    EXPECT_EQ(check_fused_copies(schedule), "");
  }
  EXPECT_EQ(carriers, 1);
}

TEST(FusedCopies, TheCheckerFindsWhatWouldBeWrong) {
  const Token model(4096);
  LoopPlans selection = choose_loops(fuse(model.g.graph, options()), machine(4));
  for (auto& [position, schedule] : selection.plans) {
    if (!split_fused_copies(schedule.kernel)) continue;
    LoopPlan twice = schedule;  // the same element by every call
    twice.kernel.writes.back().how = How::add;
    EXPECT_NE(check_fused_copies(twice), "");
  }
}

TEST(FusedCopies, ASwitchOfTheirOwn) {
  const Token model(37);
  FuseOptions off = options();
  off.fused_copies = false;
  EXPECT_EQ(count_moves(fuse(model.g.graph, off)), 1);
}

// Of a kernel without points no call comes by.
TEST(FusedCopies, WhoMayHaveNoPointsCarriesNothing) {
  const Symbol rows = std::make_shared<const SymbolInfo>(
      SymbolInfo{"rows", SymbolOrigin::param, 0, 512, 64, nullptr});
  const Token model(Index::symbol(rows));
  const KernelGraph fused = fuse(model.g.graph, options());
  EXPECT_EQ(count_moves(fused), 1) << to_string(fused);
  for (const int64_t n : {0, 1, 9}) expect_same(model.g.graph, fused, {{"rows", n}});
}

// Memory may make a view of what a kernel made for somebody else, too.
TEST(FusedCopies, WhatMayBecomeAViewStaysACopy) {
  GraphFixture g;
  const Operand x = g.input("x", {40, 16}), a = g.value("a", {40, 8}), b = g.value("b", {40, 8}),
                whole = g.value("whole", {80, 8});
  matmul(g, "First", x, g.constant("v", {16, 8}), a);
  matmul(g, "Second", x, g.constant("w", {16, 8}, 1), b);
  g.map("Concat", whole, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, 40}}, a.at(at)}}, b.at({at[0] - 40, at[1]}));
  });
  matmul(g, "Third", whole, g.constant("u", {8, 5}), g.output("y", {80, 5}));
  matmul(g, "Fourth", whole, g.constant("s", {8, 6}), g.output("q", {80, 6}));
  matmul(g, "Fifth", a, g.constant("t", {8, 5}), g.output("z", {40, 5}));
  FuseOptions apart = options();
  apart.siblings = false;
  const KernelGraph fused = fuse(g.graph, apart);
  EXPECT_EQ(count_moves(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

// Every point of the loop of a fused copy is made by one call, whatever the calls are.
TEST(FusedCopies, CallsMakeTheirShares) {
  const Token model(512);
  const LoopPlans selection = choose_loops(fuse(model.g.graph, options()), machine(4));
  const LoopPlan* found = nullptr;
  for (const auto& [step, schedule] : selection.plans) {
    if (split_fused_copies(schedule.kernel)) found = &schedule;
  }
  ASSERT_NE(found, nullptr);
  ASSERT_TRUE(found->cut.has_value());
  LoopPlan other = *found;
  for (const int64_t grain : {1, 7, 100, 512}) {
    other.cut->grain = grain;
    EXPECT_EQ(check_shares(other), "") << "chunks of " << grain;
  }
  ForLoop& loop = std::get<ForLoop>(other.loops[0].node);
  const Index begin = loop.begin;
  loop.begin = 0;
  other.cut->grain = 100;
  EXPECT_EQ(check_shares(other), "calls make other points of a fused copy than their share");
  loop.begin = begin + 1;
  EXPECT_NE(check_shares(other), "");
  other = *found;
  other.loops.clear();
  EXPECT_EQ(check_fused_copies(other), "a fused copy is not stored");
  other = *found;
  other.loops = std::get<ForLoop>(found->loops[0].node).nodes;
  EXPECT_EQ(check_fused_copies(other), "a fused copy is in no loop that threads could share");
}

TEST(FusedCopies, TheKernelIsCutInTwo) {
  const Token model(37);
  const KernelGraph fused = fuse(model.g.graph, options());
  const Kernel& kernel = host(fused);
  const std::optional<SplitCopies> both = split_fused_copies(kernel);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->copies.writes.size(), 1u);
  EXPECT_TRUE(both->copies.lets.empty());
  EXPECT_EQ(both->host.writes.size() + 1, kernel.writes.size());
}

}  // namespace
}  // namespace burin::fused_copies_test
