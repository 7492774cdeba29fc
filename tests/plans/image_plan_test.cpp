// Plans of images: of a chain of layers, the plan is what trying every combination finds best, the
// checker takes it, and no plan that writes part of a texel or does not fit.
#include "select/images/image_plan.h"

#include "hardware/load.h"
#include "passes/graph_fixture.h"
#include "select/images/image_launches.h"
#include "select/select.h"

namespace burin::image_plan_test {
namespace {

// Channels normalised by their mean, pooled over columns, mixed by a 1x1 convolution.
struct Chain {
  Chain() {
    const Operand x = g.input("x", {8, 6, 12}), a = g.value("a", {8, 6, 12}),
                  p = g.value("p", {8, 6, 6}), q = g.value("q", {10, 6, 6}),
                  y = g.output("y", {10, 6, 6});
    const Operand w = g.constant("w", {10, 8}), gain = g.constant("gain", {8}, 1);
    g.map("Scale", a, [&](const Indices& at) { return x.at(at) * gain.at({at[0]}); });
    KernelBuilder pool;
    const Index c = pool.axis(8), i = pool.axis(6), j = pool.axis(6), k = pool.reduce_axis(2);
    pool.write(p, {c, i, j}, pool.reduce(Combiner::max, {k}, a.at({c, i, 2 * j + k})));
    g.kernel("Pool", pool);
    KernelBuilder mix;
    const Index o = mix.axis(10), r = mix.axis(6), s = mix.axis(6), d = mix.reduce_axis(8);
    mix.write(q, {o, r, s}, mix.reduce(Combiner::sum, {d}, w.at({o, d}) * p.at({d, r, s})));
    g.kernel("Mix", mix);
    g.map("Relu", y,
          [&](const Indices& at) { return max(q.at(at), Expr::constant(Type::f32, 0)); });
    hardware = load_hardware(BURIN_SOURCE_DIR "/configs/pocl.json");
    hardware.opencl.images.texel_read_percent = 100;
    selection = select(g.graph, hardware);
  }

  ImagePlan plan(MemoryUse use) const {
    return plan_images(selection.graph, selection.kernels, {}, hardware, use);
  }
  std::string fault(const ImagePlan& plan) const {
    auto kernels = selection.kernels;
    apply_images(plan, selection.graph.values, kernels);
    return check_images(plan, selection.graph, kernels, hardware);
  }

  GraphFixture g;
  Hardware hardware;
  Selection selection;
};

TEST(ImagePlan, IsTheBestOfAllCombinations) {
  const Chain chain;
  const ImageProblem problem =
      image_problem(chain.selection.graph, chain.selection.kernels, {}, chain.hardware);
  ASSERT_GE(problem.values.size(), 3u);
  const ImagePlan plan = chain.plan(MemoryUse::selected);
  std::vector<int> states(problem.values.size(), 0);
  Cost best = kForbidden;
  for (bool more = true; more;) {
    best = std::min(best, cost_of(problem.choice, states));
    more = false;
    for (size_t v = 0; v < states.size() && !more; ++v) {
      more = ++states[v] < static_cast<int>(problem.choice.costs[v].size());
      if (!more) states[v] = 0;
    }
  }
  EXPECT_TRUE(plan.solved.optimal);
  EXPECT_EQ(plan.solved.cost, best);
  EXPECT_LT(plan.solved.cost, plan.buffers);
  EXPECT_EQ(chain.fault(plan), "");
}

TEST(ImagePlan, PutsWhatItIsAskedToIntoImages) {
  const Chain chain;
  EXPECT_TRUE(chain.plan(MemoryUse::buffers).maps.empty());
  const ImagePlan images = chain.plan(MemoryUse::images);
  // Tensors between kernels all of whose writers have whole texels.
  EXPECT_TRUE(images.maps.contains(1) && images.maps.contains(2) && images.maps.contains(3));
  EXPECT_FALSE(images.maps.contains(0) || images.maps.contains(4)) << "the caller's";
  EXPECT_EQ(chain.fault(images), "");
  Chain slow;
  slow.hardware.opencl.images.texel_read_percent = 2400;
  EXPECT_TRUE(slow.plan(MemoryUse::selected).maps.empty());
  EXPECT_EQ(slow.plan(MemoryUse::images).maps.size(), images.maps.size());
  Chain small;
  small.hardware.opencl.images.width_max = small.hardware.opencl.images.height_max = 4;
  EXPECT_FALSE(small.plan(MemoryUse::images).maps.contains(1));
}

TEST(ImagePlan, CheckerFindsFaults) {
  const Chain chain;
  const ImagePlan plan = chain.plan(MemoryUse::images);
  const auto with = [&](ValueId id, const ImageMap& map) {
    ImagePlan other = plan;
    other.maps[id] = map;
    return check_images(other, chain.selection.graph, chain.selection.kernels, chain.hardware);
  };
  EXPECT_NE(with(0, {2, {2}, {0, 1}}), "") << "an input";
  EXPECT_NE(with(2, {1, {2}, {0}}), "") << "a dimension that is nowhere";
  EXPECT_NE(with(2, {1, {2, 2}, {0}}), "") << "a dimension twice";
  // Launches as they are: point by point.
  EXPECT_NE(check_images(plan, chain.selection.graph, chain.selection.kernels, chain.hardware), "");
  // Texels along a dimension of which no work-item has four neighbours.
  auto kernels = chain.selection.kernels;
  apply_images(plan, chain.selection.graph.values, kernels);
  ImagePlan other = plan;
  const ImageMap& map = plan.maps.at(2);
  other.maps[2].texel = map.texel == 0 ? 1 : 0;
  EXPECT_NE(check_images(other, chain.selection.graph, kernels, chain.hardware), "");
  Chain small;
  small.hardware.opencl.images.height_max = 2;
  EXPECT_NE(small.fault(plan), "") << "more rows than images have";
  Chain halves;
  halves.hardware.opencl.images.f32 = false;
  EXPECT_NE(halves.fault(plan), "");
}

}  // namespace
}  // namespace burin::image_plan_test
