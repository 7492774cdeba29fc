// Factors that are read where they lie: whole blocks of columns from the tensor, the last one from
// a panel, and the same results.
#include "select/products/in_place.h"

#include "loops/walk.h"
#include "select/verbs_of.h"
#include "selected_kernel.h"
#include "small_hardware.h"

namespace burin::in_place_test {
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

TEST(InPlace, PixelsAreReadFromTheImage) {
  for (const int64_t width : {7, 14, 15, 31}) {
    for (const int64_t filters : {5, 24, 37}) {
      for (const int threads : {1, 3}) {
        const SelectedKernel kernel(pixels(filters, 12, 13, width), machine(32, threads));
        ASSERT_TRUE(kernel.product().b_in_place);
        const Reads reads = reads_of(kernel.program(), "x0").tensor
                                ? reads_of(kernel.program(), "x0")
                                : reads_of(kernel.program(), "x1");
        EXPECT_TRUE(reads.tensor);
        // 13 rows of pixels never fill whole blocks.
        EXPECT_TRUE(reads.panel);
        EXPECT_NE(find_verb(verbs_of(kernel.schedule()), "in place"), nullptr);
        kernel.expect_definition();
      }
    }
  }
}

TEST(InPlace, SizesMayBeDynamic) {
  const SelectedKernel kernel(pixels(9, 20, sized("H", 1, 40, 13), sized("W", 1, 50, 20)),
                              machine(16, 3));
  ASSERT_TRUE(kernel.product().b_in_place);
  for (const auto& [h, w] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 50}, {13, 20}, {40, 3}, {40, 50}})
    kernel.expect_definition({{"H", h}, {"W", w}});
}

TEST(InPlace, BlocksThatAreAllWholeNeedNoPanel) {
  const SelectedKernel kernel(matrices(20, 30, 96, false), machine());
  ASSERT_TRUE(kernel.product().b_in_place);
  EXPECT_EQ(96 % kernel.product().tile.columns(), 0);
  EXPECT_FALSE(reads_of(kernel.program(), "x0").panel);
  kernel.expect_definition();
}

TEST(InPlace, ColumnsThatLieApartArePacked) {
  const SelectedKernel kernel(matrices(20, 30, 70, true), machine());
  EXPECT_FALSE(kernel.product().b_in_place);
  kernel.expect_definition();
}

// Of 32 KiB in 8 ways a 16th of a way is 256 bytes: 64 floats.
TEST(InPlace, RowsThatShareSetsOfTheCacheArePacked) {
  EXPECT_FALSE(SelectedKernel(matrices(20, 30, 128, false), machine()).product().b_in_place);
  EXPECT_TRUE(SelectedKernel(matrices(20, 30, 120, false), machine()).product().b_in_place);
  SelectOptions off;
  off.without = words_of_switch("in-place");
  const SelectedKernel without(matrices(20, 30, 120, false), machine(), off);
  EXPECT_FALSE(without.product().b_in_place);
  without.expect_definition();
}

}  // namespace
}  // namespace burin::in_place_test
