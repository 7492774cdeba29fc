// Panels of columns that are pixels of a plane, packed row by row of it: what conditions leave out
// is a piece of each row. Taps far apart, planes smaller than a block of columns, blocks that begin
// and end inside of rows.
#include <algorithm>
#include <tuple>

#include "loops/walk.h"
#include "selected_kernel.h"
#include "small_hardware.h"
#include "window_models.h"

namespace burin::plane_panels_test {
namespace {

Hardware machine(int threads = 1) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}});
  hardware.vector.vector_bytes = 32;
  hardware.threads_max = threads;
  return hardware;
}

bool packs_by_rows(const loops::Program& program) {
  return std::any_of(program.vars.begin(), program.vars.end(),
                     [](const loops::Var& var) { return var.name == "plane_row"; });
}

TEST(PlanePanels, GiveWhatIsDefined) {
  for (const Geometry& s : {
           Geometry{8, 9, 9, 3, 3, 1, 8, 8, false, false},  // most taps are outside
           Geometry{6, 5, 7, 3, 3, 1, 4, 4, false, false},  // a plane of two blocks
           Geometry{17, 3, 3, 3, 3, 1, 2, 2, false, false},
           Geometry{6, 11, 4, 3, 3, 1, 3, 3, false, false},
           Geometry{5, 9, 13, 2, 3, 1, 7, 7, false, false},
       }) {
    for (const int threads : {1, 3}) {
      GraphFixture g;
      const SelectedKernel kernel(windows(g, s), machine(threads));
      ASSERT_TRUE(kernel.plan().contraction && !kernel.product().window)
          << s.channels << ": " << kernel.plan().reason;
      EXPECT_TRUE(packs_by_rows(kernel.program()));
      kernel.expect_definition();
    }
  }
}

// No condition is left at a pixel.
TEST(PlanePanels, PixelsHaveNoConditions) {
  GraphFixture g;
  const SelectedKernel kernel(windows(g, {8, 9, 9, 3, 3, 1, 8, 8, false, false}), machine());
  loops::for_each(kernel.program().body, [&](const loops::Stmt& stmt) {
    loops::for_each_expr(stmt, [&](const Expr& expr) {
      visit(expr, [](const ExprNode& node) { EXPECT_TRUE(node.cases.empty()); });
    });
  });
}

// y[m, p] = sum over k of w[m, k] * x[k, row of p, column of p], over a plane that is `times` as
// large as x.
KernelGraph enlarged(GraphFixture& g, int64_t height, int64_t width, int64_t times) {
  const int64_t rows = height * times, columns = width * times;
  const Operand x = g.input("x", {6, height, width}), w = g.constant("w", {9, 6}, 0.25),
                y = g.output("y", {9, rows, columns});
  KernelBuilder kernel;
  const Index m = kernel.axis(9), r = kernel.axis(rows), c = kernel.axis(columns),
              k = kernel.reduce_axis(6);
  kernel.write(y, {m, r, c},
               kernel.reduce(Combiner::sum, {k},
                             w.at({m, k}) * x.at({k, floordiv(r, times), floordiv(c, times)})));
  g.kernel("Enlarged", kernel);
  return g.graph;
}

// Neighbours that read one element are a loop over elements, with what is left at both ends of a
// row: blocks of columns begin and end anywhere in it.
TEST(PlanePanels, EnlargedPlanesAreReadElementByElement) {
  for (const auto& [height, width, times] :
       {std::tuple{5, 7, 2}, std::tuple{3, 40, 2}, std::tuple{4, 5, 3}, std::tuple{2, 33, 4},
        std::tuple{3, 9, 5}}) {
    for (const int threads : {1, 3}) {
      GraphFixture g;
      const SelectedKernel kernel(enlarged(g, height, width, times), machine(threads));
      ASSERT_TRUE(kernel.plan().contraction) << kernel.plan().reason;
      EXPECT_TRUE(packs_by_rows(kernel.program()));
      const auto& vars = kernel.program().vars;
      const bool by_element = std::any_of(vars.begin(), vars.end(), [](const loops::Var& var) {
        return var.name == "plane_group";
      });
      EXPECT_EQ(by_element, times <= 4) << height << ' ' << width << ' ' << times;
      kernel.expect_definition();
    }
  }
}

// A plane whose width is known to the run is packed pixel by pixel, as before.
TEST(PlanePanels, WidthsMayBeDynamic) {
  const Dim width = sized("W", 3, 40, 9);
  GraphFixture g;
  KernelGraph graph = windows(g, {8, 9, width, 3, 3, 1, 8, 8, false, false});
  width.collect_symbols(graph.symbols);
  const SelectedKernel kernel(std::move(graph), machine());
  for (const int64_t w : {3, 9, 17, 40}) kernel.expect_definition({{"W", w}});
}

}  // namespace
}  // namespace burin::plane_panels_test
