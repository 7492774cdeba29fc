// Launches of devices as programs: run_loops() gives what the interpreter gives of every kernel, in
// buffers and in images, with whatever a tuning file says, before any compiler has seen them. Loops
// over work-groups and work-items run backwards, and between barriers as a whole.
#include <fstream>
#include <iostream>
#include <sstream>

#include "differential/support/drawn_tuning.h"
#include "differential/support/programs_of.h"

namespace burin::programs_test {
namespace {

// Another one for each model, the same wherever the tests lie.
uint64_t seed_of(const std::string& folder) {
  uint64_t seed = 1;
  for (const char c : folder.substr(kRoot.size())) seed = 31 * seed + static_cast<unsigned char>(c);
  return seed;
}

void run_model(const std::string& folder, const Hardware& hardware, CompileOptions options,
               bool tuned, Counts& counts) {
  options.model = folder + "/model.onnx";
  if (folder.ends_with("/loop")) options.import.dims = {{.name = "trips", .min = 0, .max = 64}};
  if (tuned) options.tuning = drawn_tuning(options, hardware, seed_of(folder));
  const Compiled compiled = compile(options, hardware);
  ProgramsOf programs(compiled, folder.substr(kRoot.size() + 1) + " for " + hardware.name, counts);
  for (const std::string& set : data_sets_of(folder))
    programs.run(read_case(compiled, read_data_set(set, options.model), options));
}

// Kernels of which it is not shown that work-items write apart, and why
// (data/device_unproven.txt: configuration, model, kernel, reason), of one configuration.
std::set<std::string> unproven_of(const std::string& configuration) {
  std::ifstream in(kRoot + "/tests/differential/data/device_unproven.txt");
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string configurations, model, kernel;
    if (line.empty() || line[0] == '#' || !(words >> configurations >> model >> kernel)) continue;
    std::istringstream each(configurations);
    for (std::string one; std::getline(each, one, ',');) {
      if (one == configuration) out.insert(model + ": " + kernel);
    }
  }
  return out;
}

void expect_known(const Counts& counts, const std::string& configuration) {
  std::set<std::string> found;
  for (const std::string& one : counts.unproven) {
    const size_t from = std::string("tests/models/").size(), to = one.find(" for ");
    found.insert(one.substr(from, to - from) + one.substr(one.find(": ", to)));
  }
  EXPECT_EQ(found, unproven_of(configuration)) << configuration;
}

Counts run_all(const std::string& configuration, const Hardware& hardware,
               const CompileOptions& options = {}, bool tuned = false) {
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
  expect_known(counts, configuration);
  return counts;
}

Hardware pocl() { return project_hardware("pocl"); }

TEST(DevicePrograms, AgreeWithTheInterpreter) {
  EXPECT_GT(run_all("plain", pocl()).programs, 2300);
}

// Launches that cost nothing on a device that is never full: everything that can be split is, and
// lets cross launches through scratch.
TEST(DevicePrograms, OfSplitLaunchesAgree) {
  Hardware hardware = pocl();
  hardware.opencl.launch_us = 0;
  hardware.opencl.compute_units = 1024;
  EXPECT_GT(run_all("split", hardware).programs, 2300);
}

// Tiles, depths in parts and cooperative work-groups as a large device wants them.
TEST(DevicePrograms, OfALargeDeviceAgree) {
  Hardware hardware = pocl();
  hardware.opencl = project_hardware("nvidia-h200").opencl;
  hardware.opencl.launch_us = 0;
  EXPECT_GT(run_all("large", hardware).programs, 2300);
}

TEST(DevicePrograms, InImagesAgree) {
  CompileOptions options;
  options.memory = MemoryUse::images;
  EXPECT_GT(run_all("images", pocl(), options).programs, 2300);
}

// Steps of products and elements in fp16, tensors kept so.
TEST(DevicePrograms, InFp16Agree) {
  Hardware hardware = pocl();
  hardware.opencl.fp16 = true;
  CompileOptions options;
  options.half = Fp16Use::arithmetic;
  EXPECT_GT(run_all("fp16", hardware, options).programs, 2300);
}

TEST(DevicePrograms, AgreeWhateverATuningFileSays) {
  CompileOptions options;
  options.memory = MemoryUse::images;
  EXPECT_GT(run_all("tuned", pocl(), {}, true).programs, 2300);
  EXPECT_GT(run_all("tuned-images", pocl(), options, true).programs, 2300);
}

}  // namespace
}  // namespace burin::programs_test
