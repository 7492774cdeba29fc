// Blocks of columns that skip taps: every tap that a column meets is among those that its block
// runs, and results are those of the definition, in stripes of every number.
#include "select/products/met_taps.h"

#include "far_convolution.h"
#include "selected_kernel.h"
#include "small_hardware.h"

namespace burin::met_taps_test {
namespace {

Hardware machine(int lanes, int threads) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}});
  hardware.vector.vector_bytes = 4 * lanes;
  hardware.vector.registers = 32;
  hardware.threads_max = threads;
  return hardware;
}

double small(int64_t i) { return static_cast<double>((i * 5 + i / 3) % 11 - 5); }

const FarPlane kPlanes[] = {
    {1, 5, 9, 13, 13, 3, 6, 1, 6},        {1, 5, 9, 17, 23, 3, 12, 1, 12},
    {3, 4, 6, 11, 20, 3, 8, 1, 8},        {1, 6, 17, 19, 15, 5, 4, 1, 8},
    {2, 5, 7, 17, 23, 3, 10, 2, 10},      {1, 5, 33, 9, 31, 2, 11, 1, 6},
    {1, 8, 4, 24, 24, 3, 16, 1, 16},      {1, 5, 9, 17, 23, 3, 12, 1, 12, true},
    {2, 6, 17, 19, 15, 5, 4, 1, 8, true}, {1, 7, 6, 14, 14, 3, 1, 1, 1, true},
    {1, 9, 8, 1, 1, 4, 1, 1, 3, true},
};

SelectedKernel told(const FarPlane& plane, const Hardware& hardware, int64_t stripes) {
  const KernelGraph graph = far_convolution(plane);
  Tuning tuning;
  tuning.kernels[SelectedKernel(graph, hardware).key()].verbs = {{"met taps", {stripes}}};
  SelectOptions options;
  options.tuning = &tuning;
  return SelectedKernel(graph, hardware, options);
}

TEST(MetTaps, StripesOfEveryNumberGiveWhatIsDefined) {
  int seen = 0;
  for (const FarPlane& plane : kPlanes) {
    const int64_t columns =
        (plane.width + 2 * plane.before - plane.apart * (plane.taps - 1) - 1) / plane.stride + 1;
    for (const int64_t stripes : {1, 2, 3, 4, 5, 8}) {
      if (stripes >= columns) continue;
      ++seen;
      const SelectedKernel kernel =
          told(plane, machine(seen % 2 != 0 ? 4 : 8, seen % 4 == 3 ? 8 : seen % 4 + 1), stripes);
      const Verbs verbs = kernel.plan().verbs;
      EXPECT_TRUE(says(verbs, {"met taps", {stripes}})) << seen;
      kernel.expect_definition_of(small);
    }
  }
}

// From the definition: every column of a block, every tap.
TEST(MetTaps, BlocksRunEveryTapThatTheirColumnsMeet) {
  int64_t run = 0, met = 0;
  for (const FarPlane& plane : kPlanes) {
    const SelectedKernel kernel = told(plane, machine(8, 1), 1);
    const ContractionSchedule& product = kernel.product();
    const std::vector<Axis>& axes = kernel.plan().kernel.axes;
    const int64_t columns = axes[static_cast<size_t>(product.n)].extent.constant();
    for (const MetTaps& taps : product.met) {
      const int64_t extent = axes[static_cast<size_t>(taps.axis)].extent.constant();
      for (int64_t first = 0; first < columns; first += product.tile.columns()) {
        const int64_t last = std::min<int64_t>(first + product.tile.columns(), columns) - 1;
        const Bounds bounds = taps_met(taps, product.n, first, last);
        for (int64_t tap = 0; tap < extent; ++tap) {
          bool wanted = false;
          for (int64_t column = first; column <= last && !wanted; ++column) {
            std::vector<Index> point;
            for (size_t k = 0; k < axes.size(); ++k)
              point.push_back(Index::axis(static_cast<int>(k), axes[k].extent));
            point[static_cast<size_t>(product.n)] = column;
            point[static_cast<size_t>(taps.axis)] = tap;
            const int64_t index = taps.when.index.substitute_axes(point).constant();
            wanted = index >= taps.when.lo.constant() && index < taps.when.hi.constant();
          }
          const bool runs = bounds.begin.constant() <= tap && tap < bounds.end.constant();
          EXPECT_TRUE(runs || !wanted) << tap << ' ' << first;
          run += runs;
          met += wanted;
        }
      }
    }
  }
  EXPECT_GT(met, 0);
  EXPECT_LT(run, met * 3 / 2);  // along the columns of a plane blocks have all
}

// The policy's own choice, and that it is none where taps are near.
TEST(MetTaps, AreSkippedWhereThatIsLessWork) {
  const Hardware hardware = machine(8, 1);
  const auto skips = [&](const FarPlane& plane) {
    const SelectedKernel kernel(far_convolution(plane), hardware);
    kernel.expect_definition_of(small);
    return !kernel.product().met.empty();
  };
  EXPECT_TRUE(skips({1, 40, 9, 33, 33, 3, 24, 1, 24}));
  EXPECT_FALSE(skips({1, 8, 9, 33, 33, 3, 1, 1, 1}));
  // Images of a batch are loops around the columns, however many there are.
  const SelectedKernel images(far_convolution({sized("N", 1, 4, 2), 40, 9, 33, 33, 3, 12, 1, 12}),
                              hardware);
  EXPECT_FALSE(images.product().met.empty());
}

}  // namespace
}  // namespace burin::met_taps_test
