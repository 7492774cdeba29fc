// Windows: which kernels are read through one, and that every tap of every result finds in the
// staged operand what the kernel's definition reads. The check follows the loops that fill; it
// shares nothing with the analysis.
#include "select/tiles/window.h"

#include <set>

#include "graph_fixture.h"
#include "kernel/layout.h"
#include "select/choose.h"
#include "window_models.h"

namespace burin::window_test {
namespace {

Hardware machine(int64_t cache_bytes) {
  Hardware hardware;
  hardware.vector.vector_bytes = 64;
  hardware.vector.registers = 32;
  hardware.vector.fma_per_cycle = 2;
  hardware.vector.fma_latency_cycles = 4;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = {{cache_bytes, 4, 64, 1}};
  return hardware;
}

using Point = std::map<std::string, int64_t>;  // "i3" or the name of a variable

int64_t value_of(const Index& index, const Point& point) {
  return index.evaluate([&](const Index& leaf) {
    return point.at(leaf.kind() == IndexKind::axis ? "i" + std::to_string(leaf.axis_id())
                                                   : leaf.as_symbol()->name);
  });
}

// What an operand without arithmetic reads at a point: an element's number, or none.
std::optional<int64_t> read_at(const Expr& expr, const Point& point, const KernelGraph& graph) {
  if (expr.kind() == ExprKind::cases) {
    for (const Expr::Case& one : expr->cases) {
      bool holds = true;
      for (const Condition& condition : one.guard) {
        const int64_t at = value_of(condition.index, point);
        holds = holds && at >= value_of(condition.lo, point) && at < value_of(condition.hi, point);
      }
      if (holds) return read_at(one.value, point, graph);
    }
    return read_at(expr->operands[0], point, graph);
  }
  if (expr.kind() == ExprKind::constant) return std::nullopt;
  EXPECT_EQ(expr.kind(), ExprKind::load);
  const std::vector<Dim>& shape = graph.values[static_cast<size_t>(expr->id)].shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t at = value_of(expr->at[d], point);
    EXPECT_TRUE(at >= 0 && at < value_of(shape[d], point)) << "reads outside at dimension " << d;
  }
  return value_of(linearize(expr->at, shape), point);
}

using Staged = std::map<int64_t, std::optional<int64_t>>;

void fill(const LoopNodes& nodes, Point& point, const KernelGraph& graph, Staged& staged) {
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      const std::string name = "i" + std::to_string(loop->axis);
      const int64_t begin = value_of(loop->begin, point), end = value_of(loop->end, point);
      for (int64_t i = begin; i < end; ++i) {
        point[name] = i;
        fill(loop->nodes, point, graph, staged);
      }
      point.erase(name);
    } else {
      const auto& one = std::get<Fill>(node.node);
      const int64_t at = value_of(one.at, point);
      EXPECT_FALSE(staged.contains(at)) << "filled twice: " << at;
      staged[at] = read_at(one.value, point, graph);
    }
  }
}

void each_point(const Kernel& kernel, const std::vector<int>& axes, size_t depth, Point& point,
                const std::function<void()>& visit_one) {
  if (depth == axes.size()) return visit_one();
  const int64_t extent = value_of(kernel.axes[static_cast<size_t>(axes[depth])].extent, point);
  for (int64_t i = 0; i < extent; ++i) {
    point["i" + std::to_string(axes[depth])] = i;
    each_point(kernel, axes, depth + 1, point, visit_one);
  }
}

// `point`: the sizes of the call.
void expect_taps_are_found(const LoopPlan& schedule, const KernelGraph& graph, Point point = {}) {
  const ContractionSchedule& contraction = *schedule.contraction;
  const SlidingWindow& window = *contraction.window;
  const int64_t rows = value_of(window.rows.outputs, point), band = value_of(window.band, point),
                pitch = value_of(window.pitch(), point),
                elements = value_of(window.staged_elements(), point);
  point["band"] = band;
  std::vector<int> outer = contraction.batch;
  outer.insert(outer.end(), window.outer.begin(), window.outer.end());
  each_point(schedule.kernel, outer, 0, point, [&] {
    for (int64_t first = 0; first < rows; first += band) {
      point["band_first"] = first;
      point["band_end"] = std::min(first + band, rows);
      Staged staged;
      fill(schedule.fill, point, graph, staged);
      std::vector<int> axes = {window.columns.output};
      axes.insert(axes.end(), contraction.k.begin(), contraction.k.end());
      for (int64_t row = first; row < point["band_end"]; ++row) {
        if (window.rows.output >= 0) point["i" + std::to_string(window.rows.output)] = row;
        each_point(schedule.kernel, axes, 0, point, [&] {
          const int64_t place = value_of(window.shift, point) + (row - first) * pitch +
                                point["i" + std::to_string(window.columns.output)];
          ASSERT_TRUE(staged.contains(place)) << place;
          ASSERT_LT(place, elements);
          EXPECT_EQ(staged[place], read_at(contraction.b.element, point, graph));
        });
      }
    }
  });
}

TEST(Windows, EveryTapFindsItsElement) {
  for (const Geometry& s : {
           Geometry{3, 9, 21, 3, 3, 1, 1, 1, false, false},   // convolution
           Geometry{3, 9, 21, 3, 3, 2, 1, 1, false, false},   // stride
           Geometry{2, 15, 31, 3, 3, 1, 3, 3, false, false},  // dilation
           Geometry{3, 11, 40, 5, 7, 3, 1, 2, false, false},  // stride that no size divides
           Geometry{8, 18, 24, 1, 1, 2, 1, 0, false, false},  // stride without taps
           Geometry{9, 14, 15, 3, 3, 1, 1, 1, true, false},   // depthwise
           Geometry{9, 14, 15, 5, 5, 2, 1, 2, true, false},
           Geometry{9, 20, 24, 3, 3, 2, 1, 1, false, true},  // pool
           Geometry{9, 20, 24, 2, 2, 2, 1, 0, false, true},
       }) {
    for (const int64_t cache_bytes : {1 << 20, 2048}) {  // whole planes, bands
      GraphFixture g;
      const KernelGraph graph = windows(g, s);
      const LoopPlans selection = choose_loops(graph, machine(cache_bytes));
      const LoopPlan& schedule = selection.plans.at(StepId{0});
      ASSERT_TRUE(schedule.contraction && schedule.contraction->window)
          << s.taps_y << " " << s.stride << " " << s.dilation;
      EXPECT_TRUE(cache_bytes > 4096 || schedule.contraction->window->banded());
      expect_taps_are_found(schedule, selection.graph);
      expect_same(graph, selection.graph);
    }
  }
}

// One kernel for all sizes: its bands follow from them.
TEST(Windows, BandsFollowFromTheSizesOfTheCall) {
  const int64_t cache_bytes = 8192;
  GraphFixture g;
  const Dim height = sized("H", 5, 64, 24), width = sized("W", 5, 64, 24);
  const KernelGraph graph = windows(g, {3, height, width, 3, 3, 1, 1, 1, false, false});
  const LoopPlans selection = choose_loops(graph, machine(cache_bytes));
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.contraction && schedule.contraction->window);
  const SlidingWindow& window = *schedule.contraction->window;
  std::set<int64_t> bands;
  for (const auto& [h, w] : std::vector<std::pair<int64_t, int64_t>>{
           {5, 5}, {5, 64}, {9, 17}, {24, 24}, {31, 40}, {64, 5}, {64, 64}}) {
    const Point sizes = {{"H", h}, {"W", w}};
    const int64_t band = value_of(window.band, sizes),
                  bytes = 4 * value_of(window.staged_elements(), sizes);
    EXPECT_LE(band, h);
    // As many rows as half of the cache holds, and not fewer than two: the taps share that many.
    EXPECT_TRUE(band == 2 || bytes <= cache_bytes / 2) << h << " x " << w;
    EXPECT_TRUE(band == h || bytes + 4 * 3 * (w + 2) > cache_bytes / 2) << h << " x " << w;
    bands.insert(band);
    expect_taps_are_found(schedule, selection.graph, sizes);
  }
  EXPECT_GT(bands.size(), 4u);
}

TEST(Windows, AProductOfMatricesHasNone) {
  GraphFixture g;
  const Operand a = g.constant("a", {20, 30}), b = g.input("b", {30, 40}),
                y = g.output("y", {20, 40});
  KernelBuilder kernel;
  const Index m = kernel.axis(20), n = kernel.axis(40), k = kernel.reduce_axis(30);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, a.at({m, k}) * b.at({k, n})));
  g.kernel("MatMul", kernel);
  const LoopPlans selection = choose_loops(g.graph, machine(1 << 20));
  ASSERT_TRUE(selection.plans.at(StepId{0}).contraction.has_value());
  EXPECT_FALSE(selection.plans.at(StepId{0}).contraction->window.has_value());
}

TEST(Windows, APlaneThatWouldBeMostlyMarginIsNotStaged) {
  GraphFixture g;
  // 9 columns of results from taps that lie 8 apart: 25 positions for 9 results.
  const KernelGraph graph = windows(g, {8, 9, 9, 3, 3, 1, 8, 8, false, false});
  const LoopPlans selection = choose_loops(graph, machine(1 << 20));
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  EXPECT_FALSE(schedule.contraction && schedule.contraction->window);
  expect_same(graph, selection.graph);
}

}  // namespace
}  // namespace burin::window_test
