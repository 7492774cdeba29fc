// Procedures by kernels, on a device: the distinct slices of a tensor, boxes that survive
// suppression; each against the procedure itself.
#include "kernel/procedures/procedure_kernels.h"

#include <cmath>
#include <cstring>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "select/joint/device_sizes.h"

namespace burin::procedure_kernels_test {
namespace {

Symbol counted(int64_t most) {
  return std::make_shared<SymbolInfo>(SymbolInfo{"count", SymbolOrigin::run, 0, most});
}

KernelGraph on_device(KernelGraph graph, DeviceSizes& sizes) {
  return find_sizes_on_device(
      std::move(graph), sizes,
      load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/nvidia-h200.json"));
}

bool has_procedures(const KernelGraph& graph) {
  bool found = false;
  for_each_step(graph.steps, [&](const Step& step) {
    found = found || std::holds_alternative<Procedure>(step);
  });
  return found;
}

void expect_same_of(const KernelGraph& graph, const std::vector<HostTensor>& inputs) {
  DeviceSizes sizes;
  const KernelGraph after = on_device(graph, sizes);
  check_kernel_graph(after);
  EXPECT_FALSE(has_procedures(after));
  const RunResult a = interpret(graph, inputs, {}), b = interpret(after, inputs, {});
  ASSERT_EQ(a.status, kRunOk) << a.message;
  ASSERT_EQ(b.status, kRunOk) << b.message;
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (size_t i = 0; i < a.outputs.size(); ++i)
    EXPECT_EQ(a.outputs[i], b.outputs[i]) << "output " << i;
}

// axis -1: all elements.
KernelGraph& distinct_of(GraphFixture& g, const std::vector<int64_t>& dims, int axis, bool sorted,
                         Type type) {
  const Shape shape(dims.begin(), dims.end());
  Shape kept = axis < 0 ? Shape{product(shape)} : shape;
  const auto line = static_cast<size_t>(std::max(axis, 0));
  const Dim extent = kept[line];
  const Dim outer = axis < 0 ? Dim(1) : product({shape.begin(), shape.begin() + axis}),
            inner = axis < 0 ? Dim(1) : product({shape.begin() + axis + 1, shape.end()});
  const Symbol count = counted(extent.constant());
  kept[line] = Index::symbol(count);
  const Operand x = g.input("x", shape, type), y = g.output("y", kept, type),
                first = g.output("first", {Index::symbol(count)}, Type::i64),
                inverse = g.output("inverse", {extent}, Type::i64),
                counts = g.output("counts", {Index::symbol(count)}, Type::i64);
  Procedure out;
  out.name = "distinct";
  out.function = "unique";
  out.element = type;
  out.reads = {x.value()};
  out.writes = {y.value(), first.value(), inverse.value(), counts.value()};
  out.arguments = {extent, outer, extent, inner, sorted ? 1 : 0};
  out.results = {count};
  out.scratch_bytes = extent * 24;
  g.graph.steps.emplace_back(out);
  return g.graph;
}

TEST(ProcedureKernels, UniqueByKernelsFindsTheSame) {
  for (const bool sorted : {true, false}) {
    for (const Type type : {Type::f32, Type::i64, Type::u8}) {
      GraphFixture all, line, rows, middle, last, one;
      for (const KernelGraph* graph :
           {&distinct_of(all, {5, 30}, -1, sorted, type), &distinct_of(line, {60}, 0, sorted, type),
            &distinct_of(rows, {90, 1}, 0, sorted, type),
            &distinct_of(middle, {2, 50, 1}, 1, sorted, type),
            &distinct_of(last, {3, 44}, 1, sorted, type), &distinct_of(one, {1}, -1, sorted, type)})
        expect_same_of(*graph, sample_inputs(*graph, {}));
    }
  }
}

TEST(ProcedureKernels, UniqueByKernelsOrdersWhatIsNoNumber) {
  const double nan = std::nan(""), inf = INFINITY;
  for (const bool sorted : {true, false}) {
    GraphFixture g;
    const KernelGraph graph = distinct_of(g, {9}, 0, sorted, Type::f32);
    HostTensor x = make_tensor(Type::f32, {9});
    const double numbers[] = {1, nan, -inf, -0.0, nan, 0.0, inf, 1, -inf};
    for (int64_t i = 0; i < 9; ++i) x.set(i, {numbers[i], 0});
    expect_same_of(graph, {x});
  }
}

struct Boxes {
  int64_t batches = 1, classes = 1, count = 1, each = 1;
  bool limited = false, centred = false;
  float overlap = 0.5F, score = 0;
};

KernelGraph& survivors_of(GraphFixture& g, const Boxes& of) {
  const Operand boxes = g.input("boxes", {of.batches, of.count, 4}),
                scores = g.input("scores", {of.batches, of.classes, of.count}),
                thresholds = g.constant("thresholds", {2});
  HostTensor both = make_tensor(Type::f32, {2});
  both.set(0, {of.overlap, 0});
  both.set(1, {of.score, 0});
  g.graph.values[static_cast<size_t>(thresholds.value())].constant = to_constant(both);
  const int64_t most = of.batches * of.classes * of.each;
  const Symbol count = counted(most);
  const Operand y = g.output("y", {Index::symbol(count), 3}, Type::i64);
  Procedure out;
  out.name = "survivors";
  out.function = "non_max_suppression";
  out.element = Type::f32;
  out.reads = {boxes.value(), scores.value(), thresholds.value()};
  out.writes = {y.value()};
  out.arguments = {most, of.batches, of.classes, of.count, of.each, of.limited, of.centred};
  out.results = {count};
  out.scratch_bytes = of.count * 8;
  g.graph.steps.emplace_back(out);
  return g.graph;
}

// Overlapping boxes, equal scores, some that are no numbers.
std::vector<HostTensor> drawn_boxes(const Boxes& of, int seed) {
  HostTensor boxes = make_tensor(Type::f32, {of.batches, of.count, 4}),
             scores = make_tensor(Type::f32, {of.batches, of.classes, of.count});
  uint32_t state = static_cast<uint32_t>(seed) * 747796405u + 1;
  const auto draw = [&](uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>((state >> 16) % below);
  };
  for (int64_t i = 0; i < boxes.elements(); ++i) boxes.set(i, {draw(64) / 8, 0});
  for (int64_t i = 0; i < scores.elements(); ++i)
    scores.set(i, {draw(16) == 0 ? std::nan("") : draw(20) / 20, 0});
  return {boxes, scores};
}

TEST(ProcedureKernels, NonMaxSuppressionByKernelsFindsTheSame) {
  int seed = 0;
  for (const bool limited : {false, true}) {
    for (const bool centred : {false, true}) {
      for (const Boxes& of : {Boxes{1, 1, 1, 1}, Boxes{1, 1, 40, 40}, Boxes{2, 3, 30, 4},
                              Boxes{1, 2, 25, 1}, Boxes{1, 4, 17, 17}, Boxes{3, 1, 12, 5}}) {
        for (const float overlap : {0.0F, 0.2F, 0.5F, 1.0F}) {
          Boxes one = of;
          one.limited = limited;
          one.centred = centred;
          one.overlap = overlap;
          one.score = 0.3F;
          GraphFixture g;
          expect_same_of(survivors_of(g, one), drawn_boxes(one, ++seed));
        }
      }
    }
  }
}

// What the procedure refuses at run time it must see.
TEST(ProcedureKernels, ThresholdsThatAreRefusedStayWithTheHost) {
  GraphFixture g;
  Boxes of{1, 1, 8, 8};
  of.overlap = 1.5F;
  DeviceSizes sizes;
  EXPECT_TRUE(has_procedures(on_device(survivors_of(g, of), sizes)));
}

}  // namespace
}  // namespace burin::procedure_kernels_test
