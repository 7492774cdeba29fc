// Panels of constants that tiles ask for ahead: how far, of which kernels, and that nothing else
// changes.
#include "select/tiles/prefetch.h"

#include <fstream>

#include "isa/all_rows.h"
#include "isa/prefetch_row.h"
#include "loops/walk.h"
#include "selected_kernel.h"
#include "small_hardware.h"
#include "support/process.h"
#include "window_models.h"

namespace burin::prefetch_test {
namespace {

Hardware machine(int latency_cycles) {
  Hardware hardware = small_hardware({{4096, 4, 64, 1}, {65536, 14, 64, 1}});
  hardware.vector.vector_bytes = 64;
  hardware.vector.registers = 32;
  hardware.memory.latency_cycles = latency_cycles;
  return hardware;
}

// y = x w, w of `constant` x or of the other factor.
KernelGraph product(int64_t m, int64_t k, int64_t n, bool rows_constant) {
  GraphFixture g;
  const Operand a = rows_constant ? g.constant("a", {m, k}, -1) : g.input("a", {m, k}),
                b = rows_constant ? g.input("b", {k, n}) : g.constant("b", {k, n}, -1),
                y = g.output("y", {m, n});
  KernelBuilder kernel;
  const Index i = kernel.axis(m), j = kernel.axis(n), d = kernel.reduce_axis(k);
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {d}, a.at({i, d}) * b.at({d, j})));
  g.kernel("MatMul", kernel);
  return g.graph;
}

int prefetches(const loops::Program& program) {
  int found = 0;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    found += call != nullptr && call->op == isa::prefetch_row();
  });
  return found;
}

TEST(Prefetch, IsTwiceWhatALineTakes) {
  Hardware hardware = machine(400);
  hardware.vector.exposed_load_percent = 0;
  // 24 multiplications take 12 cycles of two pipes: 67 steps of the depth, of 8 rows or 48 columns.
  const Tile tile{8, 3, 16, 1};
  EXPECT_EQ(prefetch_bytes(tile, {true, 1 << 20, 0}, hardware), 67 * 8 * 4);
  EXPECT_EQ(prefetch_bytes(tile, {false, 1 << 20, 0}, hardware), 67 * 48 * 4);
  EXPECT_EQ(prefetch_bytes(tile, {true, 1 << 20, 0}, machine(0)), 0);
  // What a cache holds is found there again.
  EXPECT_EQ(prefetch_bytes(tile, {true, 4096, 0}, hardware), 0);
  EXPECT_GT(prefetch_bytes(tile, {true, 4097, 0}, hardware), 0);
  EXPECT_EQ(prefetch_bytes(tile, {true, 65536, 1}, hardware), 0);
  EXPECT_EQ(prefetch_bytes(tile, {true, 65536, 7}, hardware), 0);
  hardware.memory.latency_cycles = 10000;
  EXPECT_EQ(prefetch_bytes({1, 4, 16, 1}, {false, 1 << 20, 0}, hardware), kMostPrefetchBytes);
}

TEST(Prefetch, StreamedConstantsAreAskedForAndNothingElseChanges) {
  for (const bool rows_constant : {false, true}) {
    const KernelGraph graph = product(20, 100, 70, rows_constant);
    const SelectedKernel kernel(graph, machine(400)), plain(graph, machine(0));
    EXPECT_GT(kernel.product().prefetch, 0);
    EXPECT_GT(prefetches(kernel.program()), 0);
    EXPECT_EQ(prefetches(plain.program()), 0);
    kernel.expect_definition();
    const Verb* const verb = find_verb(kernel.plan().verbs, "prefetch");
    ASSERT_NE(verb, nullptr);
    EXPECT_EQ(verb->numbers, std::vector<int64_t>{kernel.product().prefetch});
    // Its text is read back.
    EXPECT_EQ(loops::to_string(loops::parse(loops::to_string(kernel.program()), isa::all_rows())),
              loops::to_string(kernel.program()));
    SelectOptions off;
    off.without = words_of_switch("prefetch");
    EXPECT_EQ(prefetches(SelectedKernel(graph, machine(400), off).program()), 0);
  }
}

TEST(Prefetch, WindowsAskForTheirRows) {
  GraphFixture g;
  const KernelGraph graph = windows(g, {30, 9, 21, 3, 3, 1, 1, 1, false, false});
  const SelectedKernel kernel(graph, machine(400));
  ASSERT_TRUE(kernel.product().window);
  EXPECT_GT(prefetches(kernel.program()), 0);
  kernel.expect_definition();
}

// 20 x 12 floats are in the first cache once they were read.
TEST(Prefetch, SmallConstantsAreNotAskedFor) {
  EXPECT_EQ(prefetches(SelectedKernel(product(20, 12, 300, true), machine(400)).program()), 0);
}

// Whatever stands behind an address: nothing is read.
TEST(Prefetch, AnAddressThatIsNoneIsNoFault) {
  for (const std::string compiler : {"g++", "clang++"}) {
    const ScratchFolder folder;
    const std::string source = folder.path() + "/a.cpp", binary = folder.path() + "/a";
    std::ofstream(source) << "#include \"runtime_min/prefetch.h\"\n"
                             "int main() {\n"
                             "  static float x[4];\n"
                             "  burin_rt::prefetch(x, 0);\n"
                             "  burin_rt::prefetch(x, 4096);\n"
                             "  burin_rt::prefetch(x, ~uintptr_t{0} >> 1);\n"
                             "  return static_cast<int>(x[0]);\n}\n";
    const ProcessResult built =
        run_process({compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror",
                     "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I",
                     BURIN_SOURCE_DIR, source, "-o", binary},
                    120);
    ASSERT_EQ(built.exit_code, 0) << built.output;
    EXPECT_EQ(run_process({binary}, 60).exit_code, 0) << compiler;
  }
}

}  // namespace
}  // namespace burin::prefetch_test
