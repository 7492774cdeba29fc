// Launches of devices as programs: run_loops() gives what the interpreter gives of every kernel, in
// buffers and in images, with whatever a tuning file says, before any compiler has seen them. Loops
// over work-groups and work-items run backwards, and between barriers as a whole.
#include <iostream>

#include "differential/support/programs_of.h"
#include "support/numbers.h"
#include "tune/choices.h"

namespace burin::programs_test {
namespace {

// A file with choices of all kinds, drawn.
Tuning drawn(const CompileOptions& compile, const Hardware& hardware, uint64_t seed) {
  const TuningChoices choices = find_choices(compile, hardware);
  Numbers numbers(seed);
  Genes genes;
  for (const Gene& gene : choices.genes) genes.push_back(numbers.below(gene.values.size()));
  return choices.tuning_of(genes);
}

void run_model(const std::string& folder, const Hardware& hardware, CompileOptions options,
               bool tuned, Counts& counts) {
  options.model = folder + "/model.onnx";
  if (folder.ends_with("/loop")) options.import.dims = {{.name = "trips", .min = 0, .max = 64}};
  if (tuned) options.tuning = drawn(options, hardware, 1 + folder.size() % 7);
  const Compiled compiled = compile(options, hardware);
  ProgramsOf programs(compiled, folder.substr(kRoot.size() + 1) + " for " + hardware.name, counts);
  for (const std::string& set : data_sets_of(folder))
    programs.run(read_case(compiled.plan, read_data_set(set, options.model), options));
}

// Kernels of which it is not shown that work-items write apart. Where an element goes is read from
// data (places, slices, scattered points); parts of a joined tensor that two loops write; digits of
// sizes that stand apart in a shape; rows of positions.
const std::set<std::string> kUnproven = {
    "axes_of_run: means_1",
    "boxes_found: best",
    "boxes_found: best_of_blocks",
    "boxes_found: classes_numbers",
    "boxes_found: classes_slices",
    "boxes_found: kept_order",
    "boxes_found: kept_select",
    "carried_optional: used",
    "convtranspose: dilated",
    "convtranspose: grouped",
    "cropped: wide",
    "cropped: y",
    "first_row: mixed_0",
    "nonzero: nonzero_place",
    "norms_of_channels: pooled",
    "operators/deformconv: output",
    "operators/tensorscatter: output_1",
    "planes_scaled: y",
    "planes_scaled: z",
    "positions_gathered: mixed",
    "positions_of_images: mixed",
    "positions_padded: mixed",
    "positions_padded: x_q",
    "positions_shifted: mixed",
    "rows_kept: find_place",
    "rows_matched: best",
    "rows_matched: find_a_place",
    "rows_matched: find_b_place",
    "rows_summed: find_place",
    "squeezed_in_branch: flat_1",
    "squeezed_in_branch: flat_3",
    "stacked_pieces: beside_2",
    "stacked_pieces: turned_out",
};

void expect_known(const Counts& counts) {
  for (const std::string& one : counts.unproven) {
    const size_t from = std::string("tests/models/").size(), to = one.find(" for ");
    const std::string name = one.substr(from, to - from) + one.substr(one.find(": ", to));
    EXPECT_TRUE(kUnproven.contains(name)) << one;
  }
}

Counts run_all(const Hardware& hardware, const CompileOptions& options = {}, bool tuned = false) {
  Counts counts;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    try {
      run_model(folder, hardware, options, tuned, counts);
    } catch (const Refused& refused) {
      // The device has no doubles.
      EXPECT_NE(std::string(refused.what()).find("f64"), std::string::npos)
          << folder << ": " << refused.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << folder << ": " << error.what();
    }
  }
  std::cout << counts.kernels << " kernels, " << counts.programs << " programs, "
            << counts.reordered << " of them with partial sums\n";
  expect_known(counts);
  return counts;
}

Hardware pocl() { return project_hardware("pocl"); }

TEST(DevicePrograms, AgreeWithTheInterpreter) { EXPECT_GT(run_all(pocl()).programs, 2300); }

// Launches that cost nothing on a device that is never full: everything that can be split is, and
// lets cross launches through scratch.
TEST(DevicePrograms, OfSplitLaunchesAgree) {
  Hardware hardware = pocl();
  hardware.opencl.launch_us = 0;
  hardware.opencl.compute_units = 1024;
  EXPECT_GT(run_all(hardware).programs, 2300);
}

// Tiles, depths in parts and cooperative work-groups as a large device wants them.
TEST(DevicePrograms, OfALargeDeviceAgree) {
  Hardware hardware = pocl();
  hardware.opencl = project_hardware("nvidia-h200").opencl;
  hardware.opencl.launch_us = 0;
  EXPECT_GT(run_all(hardware).programs, 2300);
}

TEST(DevicePrograms, InImagesAgree) {
  CompileOptions options;
  options.memory = MemoryUse::images;
  EXPECT_GT(run_all(pocl(), options).programs, 2300);
}

TEST(DevicePrograms, AgreeWhateverATuningFileSays) {
  CompileOptions options;
  options.memory = MemoryUse::images;
  EXPECT_GT(run_all(pocl(), {}, true).programs, 2300);
  EXPECT_GT(run_all(pocl(), options, true).programs, 2300);
}

}  // namespace
}  // namespace burin::programs_test
