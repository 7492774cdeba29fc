// Factors that are read where they lie: whole blocks of columns from the tensor, the last one from
// a panel, and the same results.
#include "select/products/unpacked.h"

#include "loops/walk.h"
#include "select/rows/row_blocks.h"
#include "selected_kernel.h"
#include "small_hardware.h"

namespace burin::unpacked_test {
namespace {

Hardware machine(int registers = 32, int threads = 1) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}});
  hardware.vector.vector_bytes = 32;
  hardware.vector.registers = registers;
  hardware.threads_max = threads;
  return hardware;
}

// A convolution of one tap: columns are all pixels, which the tensor has as rows of an image.
KernelGraph pixels(int64_t filters, int64_t channels, const Dim& height, const Dim& width) {
  GraphFixture g;
  const Operand x = g.input("x", {channels, height, width}),
                w = g.constant("w", {filters, channels}, -1),
                y = g.output("y", {filters, height, width});
  KernelBuilder kernel;
  const Index f = kernel.axis(filters), i = kernel.axis(height), j = kernel.axis(width),
              c = kernel.reduce_axis(channels);
  kernel.write(y, {f, i, j}, kernel.reduce(Combiner::sum, {c}, x.at({c, i, j}) * w.at({f, c})));
  g.kernel("Conv", kernel);
  height.collect_symbols(g.graph.symbols);
  width.collect_symbols(g.graph.symbols);
  return g.graph;
}

// a b, or a b' of a tensor whose rows are the columns.
KernelGraph matrices(int64_t m, int64_t k, int64_t n, bool turned) {
  GraphFixture g;
  const Operand a = g.input("a", {m, k}), b = turned ? g.input("b", {n, k}) : g.input("b", {k, n}),
                y = g.output("y", {m, n});
  KernelBuilder kernel;
  const Index i = kernel.axis(m), j = kernel.axis(n), d = kernel.reduce_axis(k);
  kernel.write(
      y, {i, j},
      kernel.reduce(Combiner::sum, {d}, a.at({i, d}) * (turned ? b.at({j, d}) : b.at({d, j}))));
  g.kernel("MatMul", kernel);
  return g.graph;
}

// Whether tiles read `tensor`, and whether a panel of it is packed.
struct Reads {
  bool tensor = false, panel = false;
};
Reads reads_of(const loops::Program& program, const std::string& tensor) {
  Reads out;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    if (call == nullptr || call->op->name.rfind("add_product", 0) != 0) return;
    const std::string& name = program.buffers[static_cast<size_t>(call->operands[2].buffer)].name;
    out.tensor = out.tensor || name == tensor;
    out.panel = out.panel || name == "b_panel";
  });
  return out;
}

TEST(Unpacked, PixelsAreReadFromTheImage) {
  for (const int64_t width : {7, 14, 15, 31}) {
    for (const int64_t filters : {5, 24, 37}) {
      for (const int threads : {1, 3}) {
        const SelectedKernel kernel(pixels(filters, 12, 13, width), machine(32, threads));
        ASSERT_TRUE(kernel.product().b_unpacked);
        // Weights are loaded first.
        const Reads reads = reads_of(kernel.program(), "x1");
        EXPECT_TRUE(reads.tensor);
        // 13 rows of pixels never fill whole blocks.
        EXPECT_TRUE(reads.panel);
        EXPECT_NE(find_verb(kernel.plan().verbs, "unpacked"), nullptr);
        kernel.expect_definition();
      }
    }
  }
}

TEST(Unpacked, SizesMayBeDynamic) {
  const SelectedKernel kernel(pixels(9, 20, sized("H", 1, 40, 13), sized("W", 1, 50, 20)),
                              machine(16, 3));
  ASSERT_TRUE(kernel.product().b_unpacked);
  for (const auto& [h, w] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 50}, {13, 20}, {40, 3}, {40, 50}})
    kernel.expect_definition({{"H", h}, {"W", w}});
}

TEST(Unpacked, BlocksThatAreAllWholeNeedNoPanel) {
  const SelectedKernel kernel(matrices(20, 30, 96, false), machine());
  ASSERT_TRUE(kernel.product().b_unpacked);
  EXPECT_EQ(96 % kernel.product().tile.columns(), 0);
  EXPECT_FALSE(reads_of(kernel.program(), "x0").panel);
  kernel.expect_definition();
}

// y[i, j] = sum over k of a[i, k] * w[k, j]; `turned`: a is [k, i].
KernelGraph dense(int64_t rows, int64_t depth, int64_t columns, bool turned = false) {
  GraphFixture g;
  const Operand a = turned ? g.input("a", {depth, 2}) : g.input("a", {rows, depth}),
                w = g.constant("w", {depth, columns}, -1), y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index i = kernel.axis(rows), j = kernel.axis(columns), k = kernel.reduce_axis(depth);
  const Expr row = turned ? a.at({k, i}) : a.at({i, k});
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, row * w.at({k, j})));
  g.kernel("Gemm", kernel);
  return g.graph;
}

// A panel of one row would be its copy in scratch.
TEST(Unpacked, OneRowIsReadWhereItLies) {
  for (const int threads : {1, 3}) {
    const SelectedKernel kernel(dense(1, 640, 130), machine(32, threads));
    EXPECT_TRUE(kernel.product().a_unpacked);
    EXPECT_TRUE(kernel.plan().scratch_bytes.is_constant(0));
    kernel.expect_definition();
  }
  const SelectedKernel apart(dense(1, 640, 130, true), machine());
  EXPECT_FALSE(apart.product().a_unpacked) << "neighbours along the depth lie apart";
  EXPECT_FALSE(apart.plan().scratch_bytes.is_constant(0));
  apart.expect_definition();
}

bool reads_rows(const loops::Program& program, const std::string& tensor) {
  bool found = false;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    if (call == nullptr || call->op->name.rfind("add_product", 0) != 0) return;
    const std::string& name = program.buffers[static_cast<size_t>(call->operands[1].buffer)].name;
    EXPECT_EQ(name, tensor);
    found = true;
  });
  return found;
}

// Every number of rows that a last block has, with versions for it and without.
TEST(Unpacked, RowsAreReadWhereTheyLie) {
  for (const int threads : {1, 3}) {
    for (const int64_t columns : {5, 130, 200}) {
      for (const int64_t rows : {2, 3, 7, 8, 9, 16, 20, 23, 37}) {
        const SelectedKernel kernel(dense(rows, 600, columns), machine(32, threads));
        ASSERT_TRUE(kernel.product().a_unpacked) << rows << " x " << columns;
        EXPECT_TRUE(reads_rows(kernel.program(), "x0"));
        EXPECT_TRUE(kernel.plan().scratch_bytes.is_constant(0));
        EXPECT_NE(find_verb(kernel.plan().verbs, "unpacked rows"), nullptr);
        kernel.expect_definition();
      }
    }
  }
}

TEST(Unpacked, RowsThatAreReadMayBeDynamic) {
  GraphFixture g;
  const Dim rows = sized("rows", 1, 60, 20);
  const Operand a = g.input("a", {rows, 150}), w = g.constant("w", {150, 70}, -1),
                y = g.output("y", {rows, 70});
  KernelBuilder kernel;
  const Index i = kernel.axis(rows), j = kernel.axis(70), k = kernel.reduce_axis(150);
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, a.at({i, k}) * w.at({k, j})));
  g.kernel("Gemm", kernel);
  rows.collect_symbols(g.graph.symbols);
  for (const int threads : {1, 3}) {
    const SelectedKernel made(g.graph, machine(16, threads));
    ASSERT_TRUE(made.product().a_unpacked);
    for (const int64_t n : {1, 2, 5, 6, 7, 11, 12, 13, 20, 59, 60})
      made.expect_definition({{"rows", n}});
  }
}

// With rows where they lie no thread makes panels, and both axes may be shared.
TEST(Unpacked, ThreadsShareRowsAndColumnsOfRowsThatAreRead) {
  Hardware hardware = machine(32, 8);
  hardware.thread_start_us = 0;
  const SelectedKernel kernel(dense(96, 256, 96), hardware);
  ASSERT_TRUE(kernel.product().a_unpacked && kernel.plan().cut);
  EXPECT_TRUE(kernel.plan().cut->across);
  EXPECT_TRUE(kernel.plan().scratch_bytes.is_constant(0));
  kernel.expect_definition();
}

// Rows that do not stay in the second cache come in blocks of one height, whatever threads share.
TEST(Unpacked, RowsThatAreReadComeInBlocks) {
  for (const int threads : {1, 8}) {
    Hardware hardware = machine(32, threads);
    hardware.thread_start_us = 0;
    hardware.memory.caches = {{32768, 4, 64, 1}, {131072, 12, 32, 1}, {4 << 20, 40, 16, 8}};
    const SelectedKernel kernel(dense(200, 256, 96), hardware);
    ASSERT_TRUE(kernel.product().a_unpacked);
    const int64_t block = kernel.product().block_rows;
    // Half of the cache has 64 rows of 1 KiB: four blocks of 50, in whole tiles.
    EXPECT_EQ(block, (50 + rows_together(kernel.plan()) - 1) / rows_together(kernel.plan()) *
                         rows_together(kernel.plan()));
    EXPECT_NE(find_verb(kernel.plan().verbs, "block rows"), nullptr);
    EXPECT_EQ(kernel.plan().cut.has_value(), threads > 1);
    EXPECT_TRUE(kernel.plan().scratch_bytes.is_constant(0));
    kernel.expect_definition();
  }
  // The last cache does not hold b, which would come from memory for each block.
  Hardware far = machine();
  far.memory.caches = {{32768, 4, 64, 1}, {131072, 12, 32, 1}, {131072, 40, 16, 1}};
  const SelectedKernel kernel(dense(200, 256, 96), far);
  ASSERT_TRUE(kernel.product().a_unpacked);
  EXPECT_EQ(kernel.product().block_rows, 0);
  kernel.expect_definition();
}

// Lines of a tile's rows that fall into one set leave two of its ways to what passes through.
TEST(Unpacked, RowsThatPushEachOtherOutArePacked) {
  const auto unpacked = [](int64_t depth, int64_t bytes, int ways) {
    Hardware hardware = machine();
    hardware.memory.caches[0].size_bytes = bytes;
    hardware.memory.caches[0].ways = ways;
    const SelectedKernel kernel(dense(64, depth, 200), hardware);
    kernel.expect_definition();
    return std::pair(kernel.product().a_unpacked, kernel.product().tile.rows);
  };
  // Rows that lie 4096 bytes apart begin in one set.
  const auto [fits, rows] = unpacked(1024, 49152, 12);
  EXPECT_EQ(fits, rows <= 10);
  EXPECT_EQ(unpacked(1024, 32768, 8).first, rows <= 6);
  EXPECT_FALSE(unpacked(1024, 16384, 4).first);
  // 1000 floats fall everywhere.
  EXPECT_TRUE(unpacked(1000, 32768, 8).first);
  SelectOptions off;
  off.without = words_of_switch("unpacked");
  for (const int64_t rows : {1, 20}) {
    const SelectedKernel without(dense(rows, 600, 130), machine(), off);
    EXPECT_FALSE(without.product().a_unpacked);
    EXPECT_EQ(find_verb(without.plan().verbs, "unpacked rows"), nullptr);
    without.expect_definition();
  }
  // Short rows, and those that very many columns share.
  EXPECT_FALSE(SelectedKernel(dense(20, 100, 130), machine()).product().a_unpacked);
  EXPECT_FALSE(SelectedKernel(dense(4, 128, 4104), machine()).product().a_unpacked);
}

TEST(Unpacked, ColumnsThatLieApartArePacked) {
  const SelectedKernel kernel(matrices(20, 30, 70, true), machine());
  EXPECT_FALSE(kernel.product().b_unpacked);
  kernel.expect_definition();
}

// Rows that lie 4096 bytes apart begin in one set, 512 floats in two places of a way; of 60 or 1000
// floats everywhere.
TEST(Unpacked, RowsThatShareSetsOfTheCacheArePacked) {
  const auto unpacked = [](int64_t columns, int64_t bytes, int ways) {
    Hardware hardware = machine();
    hardware.memory.caches[0].size_bytes = bytes;
    hardware.memory.caches[0].ways = ways;
    return SelectedKernel(matrices(20, 12, columns, false), hardware).product().b_unpacked;
  };
  // 32 KiB in 8 ways, 48 KiB in 12, and what is not said.
  for (const auto& [bytes, ways] :
       std::vector<std::pair<int64_t, int>>{{32768, 8}, {49152, 12}, {49152, 0}}) {
    EXPECT_FALSE(unpacked(1024, bytes, ways));
    EXPECT_FALSE(unpacked(2048, bytes, ways));
    EXPECT_TRUE(unpacked(1000, bytes, ways));
    EXPECT_TRUE(unpacked(120, bytes, ways));
    // 56 x 56 pixels are 49 * 256 bytes: all sets come in turn.
    EXPECT_TRUE(unpacked(3136, bytes, ways));
  }
  // A way of 16 KiB has more places.
  EXPECT_FALSE(unpacked(4096, 65536, 4));
  SelectOptions off;
  off.without = words_of_switch("unpacked");
  const SelectedKernel without(matrices(20, 30, 120, false), machine(), off);
  EXPECT_FALSE(without.product().b_unpacked);
  without.expect_definition();
}

}  // namespace
}  // namespace burin::unpacked_test
