// Pools of images: random chains of kernels; the checker agrees with every pool that is made, and
// with none in which two tensors that live at once share an image.
#include "plan/images/image_pool.h"

#include <random>

#include "passes/graph_fixture.h"

namespace burin::image_pool_test {
namespace {

// Every kernel reads one or two of the last values and writes one of another extent.
struct RandomGraph {
  explicit RandomGraph(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Operand> made{g.input("x", {4, 4})};
    for (int i = 0; i < 12; ++i) {
      const auto rows = static_cast<int64_t>(4 + random() % 5), columns = rows + 1;
      const Operand to = i == 11 ? g.output("y", {rows, columns})
                                 : g.value("v" + std::to_string(i), {rows, columns});
      KernelBuilder kernel;
      const Index r = kernel.axis(rows), c = kernel.axis(columns);
      const Operand& a = made[made.size() - 1 - random() % std::min<size_t>(3, made.size())];
      const Operand& b = made[made.size() - 1 - random() % std::min<size_t>(4, made.size())];
      kernel.write(to, {r, c}, a.at({mod(r, 4), mod(c, 4)}) + b.at({mod(r, 4), mod(c, 4)}));
      g.kernel("k" + std::to_string(i), kernel);
      made.push_back(to);
    }
    const KernelGraph& graph = g.graph;
    for (size_t v = 0; v < graph.values.size(); ++v) {
      if (graph.values[v].kind == ValueKind::internal)
        images.push_back(
            {static_cast<ValueId>(v), graph.values[v].shape[0], graph.values[v].shape[1]});
    }
  }

  GraphFixture g;
  std::vector<PooledImage> images;
};

TEST(ImagePool, TensorsThatLiveAtOnceHaveImagesOfTheirOwn) {
  int shared = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const RandomGraph one(seed);
    const ImagePool pool = pool_images(one.g.graph, one.images, {});
    EXPECT_EQ(check_image_pool(pool, one.g.graph, one.images, {}), "");
    EXPECT_LE(pool.bytes.constant(), pool.naive_bytes.constant());
    EXPECT_GE(pool.bytes.constant(), pool.live_bytes);
    shared += pool.slots.size() < one.images.size();
  }
  EXPECT_GT(shared, 25);
}

// All that the planner would not do.
TEST(ImagePool, CheckerFindsFaults) {
  const RandomGraph one(1);
  const ImagePool pool = pool_images(one.g.graph, one.images, {});
  ImagePool together = pool;  // everything in one image
  for (size_t s = 1; s < pool.slots.size(); ++s) {
    const auto& values = pool.slots[s].values;
    together.slots[0].values.insert(together.slots[0].values.end(), values.begin(), values.end());
  }
  together.slots.resize(1);
  together.slots[0].width = together.slots[0].height = 100;
  EXPECT_NE(check_image_pool(together, one.g.graph, one.images, {}), "");
  ImagePool small = pool;
  small.slots[0].width = 1;
  EXPECT_NE(check_image_pool(small, one.g.graph, one.images, {}), "");
  ImagePool missing = pool;
  missing.slots.back().values.clear();
  EXPECT_NE(check_image_pool(missing, one.g.graph, one.images, {}), "");
  ImagePool halves = pool;
  halves.slots[0].type = Type::f16;
  EXPECT_NE(check_image_pool(halves, one.g.graph, one.images, {}), "");
}

}  // namespace
}  // namespace burin::image_pool_test
