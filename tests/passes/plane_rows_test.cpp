// Windows row by row of their planes: what programs give, for widths that fill vectors or do not,
// rows that fill tiles or do not, bands, threads and sizes of the run; what a tile loads, counted.
#include "select/products/plane_rows.h"

#include <set>

#include "graph_fixture.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/select.h"
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

class Selected {
 public:
  Selected(const Geometry& s, const Hardware& hardware, const SelectOptions& options = {}) {
    graph_ = windows(fixture_, s);
    s.height.collect_symbols(graph_.symbols);
    s.width.collect_symbols(graph_.symbols);
    selection_ = select(graph_, hardware, options);
    const std::vector<std::string> faults = loops::verify(program());
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
    if (!faults.empty()) ADD_FAILURE() << loops::to_string(program());
  }
  const KernelSchedule& schedule() const { return selection_.kernels.at(StepId{0}); }
  const std::string& key() const { return selection_.keys.at(StepId{0}); }
  const loops::Program& program() const { return *schedule().program; }
  const ContractionSchedule& product() const { return *schedule().contraction; }

  // Sums and extremes run in the order of the definition, so bits are the same.
  void expect_definition(const std::map<std::string, int64_t>& symbols = {}) const {
    const std::vector<HostTensor> inputs = sample_inputs(graph_, symbols);
    const RunResult wanted = interpret(graph_, inputs, symbols);
    ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
    Environment environment;
    environment.symbols = symbols;
    for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[graph_.inputs[k]] = inputs[k];
    const std::vector<Value>& values = selection_.graph.values;
    const RunResult result = loops::run_loops(program(), values, environment);
    ASSERT_EQ(result.status, kRunOk) << result.message << "\n" << loops::to_string(program());
    EXPECT_EQ(environment.tensor(values, graph_.outputs[0]), wanted.outputs[0])
        << loops::to_string(program());
  }

 private:
  GraphFixture fixture_;
  KernelGraph graph_;
  Selection selection_;
};

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
          const Selected kernel(s, machine(cache_bytes, registers, threads));
          ASSERT_TRUE(kernel.schedule().contraction && kernel.product().plane_rows)
              << kernel.schedule().reason;
          kernel.expect_definition();
        }
      }
    }
  }
}

// One kernel for planes of all widths: narrow ones take the positions of the window.
TEST(PlaneRows, StandBesidePositionsWhereWidthsAreDynamic) {
  const Dim height = sized("H", 3, 64, 24), width = sized("W", 3, 96, 40);
  const Selected kernel({5, height, width, 3, 3, 1, 1, 1, true, false}, machine(4096, 32));
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
  const Selected untold(s, hardware);
  int taken = 0;
  for (const int64_t rows : {1, 2, 3, 4, 5, 8, 9}) {
    for (const int64_t vectors : {1, 2, 3, 4, 5}) {
      for (const int64_t lanes : {4, 8, 16, 32}) {
        SelectOptions options;
        Tuning tuning;
        tuning.kernels[untold.key()].verbs = {{"tile", {1, vectors}},
                                              {"plane rows", {rows, lanes}}};
        options.tuning = &tuning;
        const Selected kernel(s, hardware, options);
        const std::optional<PlaneRows>& plane = kernel.product().plane_rows;
        if (plane) {
          EXPECT_EQ(*plane, (PlaneRows{static_cast<int>(rows), static_cast<int>(vectors),
                                       static_cast<int>(lanes)}));
          ++taken;
        }
        kernel.expect_definition();
      }
    }
  }
  // 18 columns: 4, 8, 12, 16 of 4 lanes, 8 and 16 of 8 lanes, 16 of 16; six rows at most.
  EXPECT_GE(taken, 20);
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
    const Selected kernel(s, machine(1 << 20, 32));
    for (const int rows : {1, 2, 3, 7}) {
      const PlaneRows tile{rows, 2, 4};
      EXPECT_EQ(loads_of_plane(tile, *kernel.product().window, kernel.product().k,
                               kernel.schedule().kernel),
                counted_loads(tile, s));
    }
  }
}

TEST(PlaneRows, AreNotTakenWhereTapsAreManyOrRowsShort) {
  const Hardware hardware = machine(1 << 20, 32);
  const Selected many({2, 20, 30, 9, 9, 1, 1, 4, true, false}, hardware);
  EXPECT_FALSE(many.product().plane_rows);
  many.expect_definition();
  const Selected narrow({40, 40, 3, 3, 3, 1, 1, 1, true, false}, hardware);
  EXPECT_FALSE(narrow.schedule().contraction && narrow.product().plane_rows);
  narrow.expect_definition();
  SelectOptions off;
  off.without = words_of_switch("plane-tiles");
  const Selected without(kGeometries[0], hardware, off);
  EXPECT_FALSE(without.product().plane_rows);
  without.expect_definition();
}

}  // namespace
}  // namespace burin::plane_rows_test
