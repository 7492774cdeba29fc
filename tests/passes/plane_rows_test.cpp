// Windows row by row of their planes: what programs give, for widths that fill vectors or do not,
// rows that fill tiles or do not, bands, threads and sizes of the run; what a tile loads, counted.
#include "select/tiles/plane_rows.h"

#include <set>

#include "selected_kernel.h"
#include "small_hardware.h"
#include "window_models.h"

namespace burin::plane_rows_test {
namespace {

Hardware machine(int64_t cache_bytes, int registers, int threads = 1) {
  Hardware hardware = small_hardware({{cache_bytes, 4, 64, 1}});
  hardware.vector.vector_bytes = 64;
  hardware.vector.registers = registers;
  hardware.threads_max = threads;
  return hardware;
}

SelectedKernel selected(const Geometry& s, const Hardware& hardware,
                        const SelectOptions& options = {}) {
  GraphFixture g;
  KernelGraph graph = windows(g, s);
  s.height.collect_symbols(graph.symbols);
  s.width.collect_symbols(graph.symbols);
  return SelectedKernel(std::move(graph), hardware, options);
}

const Geometry kGeometries[] = {
    {9, 14, 14, 3, 3, 1, 1, 1, true, false}, {9, 13, 31, 3, 3, 2, 1, 1, true, false},
    {6, 7, 7, 5, 5, 1, 1, 2, true, false},   {6, 17, 40, 5, 3, 3, 1, 2, true, false},
    {4, 15, 33, 3, 3, 1, 3, 3, true, false}, {4, 12, 64, 3, 7, 1, 1, 3, true, false},
    {9, 20, 24, 3, 3, 2, 1, 1, false, true}, {9, 20, 24, 2, 2, 2, 1, 0, false, true},
    {20, 9, 9, 5, 5, 1, 1, 2, false, true},  {9, 19, 4, 3, 3, 1, 1, 1, true, false},
    {40, 23, 5, 7, 1, 1, 1, 3, false, true},
};

TEST(PlaneRows, GiveWhatIsDefined) {
  for (const Geometry& s : kGeometries) {
    for (const int registers : {16, 32}) {
      for (const int64_t cache_bytes : {1 << 20, 2048}) {
        for (const int threads : {1, 3}) {
          const SelectedKernel kernel = selected(s, machine(cache_bytes, registers, threads));
          ASSERT_TRUE(kernel.plan().contraction && kernel.product().plane_rows)
              << kernel.plan().reason;
          kernel.expect_definition();
        }
      }
    }
  }
}

// One kernel for planes of all widths: narrow ones take the positions of the window.
TEST(PlaneRows, StandBesidePositionsWhereWidthsAreDynamic) {
  const Dim height = sized("H", 3, 64, 24), width = sized("W", 3, 96, 40);
  const SelectedKernel kernel =
      selected({5, height, width, 3, 3, 1, 1, 1, true, false}, machine(4096, 32));
  ASSERT_TRUE(kernel.product().plane_rows);
  EXPECT_FALSE(has_only_plane_rows(kernel.product()));
  for (const auto& [h, w] : std::vector<std::pair<int64_t, int64_t>>{
           {3, 3}, {5, 15}, {4, 16}, {9, 17}, {24, 40}, {31, 47}, {64, 96}})
    kernel.expect_definition({{"H", h}, {"W", w}});
}

// What each verb that is legal gives is right, and is what was asked for.
TEST(PlaneRows, EveryTileThatIsGivenGivesWhatIsDefined) {
  const Geometry s{5, 11, 35, 3, 3, 2, 1, 1, true, false};
  const Hardware hardware = machine(1 << 20, 32);
  const SelectedKernel untold = selected(s, hardware);
  int taken = 0;
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 8, 9}) {
    for (const int64_t vectors : {1, 2, 3, 4, 5}) {
      for (const int64_t lanes : {4, 8, 16, 32}) {
        SelectOptions options;
        Tuning tuning;
        tuning.kernels[untold.key()].verbs = {{"tile", {1, vectors}},
                                              {"plane rows", {rows, lanes}}};
        options.tuning = &tuning;
        const SelectedKernel kernel = selected(s, hardware, options);
        const std::optional<PlaneRows>& plane = kernel.product().plane_rows;
        // Six rows of 18 results, nine taps, at most 17 sums beside a vector and a weight.
        const bool legal = rows <= 6 && vectors <= 4 && lanes <= 16 && vectors * lanes <= 18 &&
                           rows * vectors * 9 <= 200;
        ASSERT_EQ(plane.has_value(), legal) << rows << " " << vectors << " " << lanes;
        if (!legal) continue;
        EXPECT_EQ(*plane, (PlaneRows{static_cast<int>(rows), static_cast<int>(vectors),
                                     static_cast<int>(lanes)}));
        ++taken;
        kernel.expect_definition();
      }
    }
  }
  EXPECT_EQ(taken, 41);
}

// Taps and results of a tile as they are defined, one by one.
int64_t counted_loads(const PlaneRows& tile, const Geometry& s) {
  std::set<std::pair<int64_t, int64_t>> places;
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (int64_t p = 0; p < s.taps_y; ++p) {
      for (int64_t q = 0; q < s.taps_x; ++q)
        places.emplace(row * s.stride + p * s.dilation, q * s.dilation);
    }
  }
  return static_cast<int64_t>(places.size()) * tile.vectors;
}

TEST(PlaneRows, LoadsAreThoseOfDistinctPlaces) {
  for (const Geometry& s : kGeometries) {
    const SelectedKernel kernel = selected(s, machine(1 << 20, 32));
    for (const int rows : {1, 2, 3, 7}) {
      const PlaneRows tile{rows, 2, 4};
      EXPECT_EQ(
          loads_of_plane(tile, *kernel.product().window, kernel.product().k, kernel.plan().kernel),
          counted_loads(tile, s));
    }
  }
}

// Rows shorter than a vector are one each; what is beyond them is computed and goes nowhere, behind
// the last plane and the last thread either.
TEST(PlaneRows, RowsMayBeShorterThanVectors) {
  for (const int64_t width : {5, 6, 7, 11, 14, 15}) {
    for (const int stride : {1, 2}) {
      for (const bool pool : {false, true}) {
        for (const int threads : {1, 3}) {
          const Geometry s{60, width + 1, width, 3, 3, stride, 1, 1, !pool, pool};
          const Hardware hardware = machine(1 << 20, 32, threads);
          const int64_t results = (width - 1) / stride + 1;
          if (results == 4 || results == 8) continue;  // whole vectors
          const int64_t lanes = results < 4 ? 4 : results < 8 ? 8 : 16;
          Tuning tuning;
          tuning.kernels[selected(s, hardware).key()].verbs = {{"tile", {1, 1}},
                                                               {"plane rows", {3, lanes}}};
          SelectOptions options;
          options.tuning = &tuning;
          const SelectedKernel kernel = selected(s, hardware, options);
          ASSERT_TRUE(kernel.plan().contraction && kernel.product().plane_rows) << width;
          EXPECT_TRUE(is_narrow(*kernel.product().plane_rows, *kernel.product().window));
          EXPECT_TRUE(has_only_plane_rows(kernel.product()));
          kernel.expect_definition();
        }
      }
    }
  }
}

TEST(PlaneRows, AreNotTakenWhereTapsAreManyOrRowsShort) {
  const Hardware hardware = machine(1 << 20, 32);
  const SelectedKernel many = selected({2, 20, 30, 9, 9, 1, 1, 4, true, false}, hardware);
  EXPECT_FALSE(many.product().plane_rows);
  many.expect_definition();
  const SelectedKernel narrow = selected({40, 40, 2, 3, 3, 1, 1, 1, true, false}, hardware);
  EXPECT_FALSE(narrow.plan().contraction && narrow.product().plane_rows);
  narrow.expect_definition();
  SelectOptions off;
  off.without = words_of_switch("plane-tiles");
  const SelectedKernel without = selected(kGeometries[0], hardware, off);
  EXPECT_FALSE(without.product().plane_rows);
  without.expect_definition();
}

}  // namespace
}  // namespace burin::plane_rows_test
