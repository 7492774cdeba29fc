// Trees with OpenCL, compiled and run: on PoCL, which must be installed (a tree that finds no
// OpenCL fails its case with that as its status), and on a library that records what is called.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "differential/support/emitted.h"
#include "report/data_set.h"
#include "select/device/launch_walk.h"
#include "support/onnx_writer.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/verdict_text.h"

namespace burin::emitted_opencl_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

constexpr size_t kSample = 32;
constexpr size_t kSampleOfModels = 15;

VerifyOptions on_device() {
  VerifyOptions options;
  options.hardware = project_hardware("pocl");
  options.fast = options.hold_inputs = true;
  return options;
}

// BURIN_POCL_CASES: how many; of all of them, those that do not pass must be the listed ones.
TEST(EmittedOpenCl, OperatorsAgreeOnPocl) {
  const char* const more = std::getenv("BURIN_POCL_CASES");
  const size_t count = more ? static_cast<size_t>(std::atoi(more)) : kSample;
  const std::vector<std::string> all = onnx_cases();
  expect_pass_but_listed(ListedRun::emitted, sample(all, count), on_device(), count >= all.size());
}

TEST(EmittedOpenCl, ModelsAgreeOnPocl) {
  expect_all_pass(sample(find_cases(kTests + "/models"), kSampleOfModels), on_device());
}

// Launches that cost nothing on a device that is never full: everything that can be split is, and
// lets cross launches through scratch.
TEST(EmittedOpenCl, ModelsAgreeWhereLaunchesAreSplit) {
  VerifyOptions options = on_device();
  options.hardware.opencl.launch_us = 0;
  options.hardware.opencl.compute_units = 1024;
  expect_all_pass(find_cases(kTests + "/models/operators/groupqueryattention_1"), options);
  expect_all_pass(sample(find_cases(kTests + "/models"), 8), options);
}

// Tiles, depths in parts and cooperative work-groups as a large device wants them.
TEST(EmittedOpenCl, ModelsAgreeInTheTilesOfALargeDevice) {
  VerifyOptions options = on_device();
  options.hardware.opencl = project_hardware("nvidia-h200").opencl;
  options.hardware.opencl.launch_us = 0;
  expect_all_pass(find_cases(kTests + "/models/attention_shape_chain"), options);
  expect_all_pass(find_cases(kTests + "/models/operators/multiheadattention_1"), options);
  expect_all_pass(find_cases(kTests + "/models/qdq_conv"), options);
  expect_all_pass(sample(find_cases(kTests + "/models"), 8), options);
}

// Joint launches of all that is independent: branches, rows that wait at barriers in work-groups of
// several sizes, sizes of the caller.
TEST(EmittedOpenCl, ModelsAgreeWithJointLaunches) {
  VerifyOptions options = on_device();
  options.compile.parallel_fusion = ParallelFusion::all;
  expect_all_pass(find_cases(kTests + "/models/branches"), options);
  expect_all_pass(sample(find_cases(kTests + "/models"), 6), options);
  options.hardware.opencl = project_hardware("nvidia-h200").opencl;
  options.hardware.opencl.launch_us = 0;
  expect_all_pass(find_cases(kTests + "/models/branches"), options);
  options.compile.parallel_fusion = ParallelFusion::automatic;
  expect_all_pass(find_cases(kTests + "/models/branches"), options);
}

std::set<EmptyRows> empty_rows(const ModelPlan& plan) {
  std::set<EmptyRows> found;
  for (const auto& [step, schedule] : plan.kernels) {
    for (const Launch* launch : launches_of(schedule.launches)) {
      if (launch->attention) found.insert(launch->attention->form.empty);
    }
  }
  return found;
}

// Rows of attention that see no key: left NaN, cleared, zeros.
TEST(EmittedOpenCl, RowsWithoutWeightsAgree) {
  VerifyOptions options = on_device();
  for (const char* dim : {"batch=1..4", "queries=1..64", "keys=1..128"})
    options.compile.import.dims.push_back(parse_dim_binding(dim));
  for (const MemoryUse memory : {MemoryUse::buffers, MemoryUse::images}) {
    SCOPED_TRACE(memory == MemoryUse::images ? "images" : "buffers");
    options.compile.memory = memory;
    CompileOptions compiling = options.compile;
    compiling.model = kTests + "/models/masked_rows/model.onnx";
    EXPECT_EQ(empty_rows(compile(compiling, options.hardware).plan).size(), 3u);
    expect_all_pass(find_cases(kTests + "/models/masked_rows"), options);
  }
}

// Of all programs that wrote to it.
struct Recorded {
  int64_t launches = 0, synchronisations = 0, to_device = 0, to_host = 0, buffers = 0, objects = 0;
};

class Recorder {
 public:
  Recorder() {
    const ProcessResult built =
        run_process({"g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
                     "-o", folder_.path() + "/libOpenCL.so.1", kTests + "/opencl/recorder.cpp"},
                    120);
    EXPECT_EQ(built.exit_code, 0) << built.output;
  }
  std::vector<std::string> runner() const {
    return {"env", "LD_LIBRARY_PATH=" + folder_.path(), "BURIN_CL_RECORD=" + file()};
  }
  Recorded take() const {
    Recorded out;
    std::ifstream in(file());
    EXPECT_TRUE(in >> out.launches >> out.synchronisations >> out.to_device >> out.to_host >>
                out.buffers >> out.objects);
    std::filesystem::remove(file());
    return out;
  }

 private:
  std::string file() const { return folder_.path() + "/record"; }
  ScratchFolder folder_;
};

int64_t planned_launches(const ModelPlan& plan) {
  int64_t count = 0;
  for (const LaunchGroup& group : plan.groups.groups) {
    for (const JointLaunch& launch : group.launches)
      count -= static_cast<int64_t>(launch.members.size()) - 1;
  }
  for (const auto& [step, schedule] : plan.kernels) {
    if (!plan.memory.dropped.contains(step))
      count += static_cast<int64_t>(launches_of(schedule.launches).size());
  }
  return count;
}

int64_t bytes_of(const ModelPlan& plan, ValueKind kind) {
  int64_t bytes = 0;
  for (const Value& value : plan.graph.values) {
    if (value.kind == kind) bytes += size_bits(value.type) / 8 * at_hints(product(value.shape));
  }
  return bytes;
}

// The results are zeros, so the verdict does not matter; how a run went does.
TEST(EmittedOpenCl, RunsCallWhatThePlanSays) {
  const Recorder recorder;
  for (const char* name : {"digits/digits.onnx", "models/attention_shape_chain/model.onnx",
                           "models/qdq_conv/model.onnx", "models/convtranspose/model.onnx"}) {
    SCOPED_TRACE(name);
    VerifyOptions options = on_device();
    options.compile.model = kTests + "/" + name;
    options.hardware.runner = recorder.runner();
    const Compiled compiled = compile(options.compile, options.hardware);
    const Verdict verdict = verify(options);
    const auto runs = static_cast<int64_t>(verdict.data_sets.size()) * 2;
    for (const DataSetVerdict& set : verdict.data_sets) EXPECT_EQ(set.problem, "");
    const Recorded recorded = recorder.take();
    EXPECT_EQ(recorded.launches, runs * planned_launches(compiled.plan));
    EXPECT_EQ(recorded.synchronisations, runs) << "the host waits at the end and nowhere else";
    EXPECT_EQ(recorded.objects, 0) << "not released";
    if (!compiled.plan.graph.symbols.empty()) continue;
    EXPECT_EQ(recorded.to_host, runs * bytes_of(compiled.plan, ValueKind::output));
  }
}

// Tensors in images: made once, all given back.
TEST(EmittedOpenCl, ImagesAreMadeOnce) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  options.compile.model = kTests + "/models/residual_blocks/model.onnx";
  options.compile.memory = MemoryUse::images;
  options.compile.import.dims = {parse_dim_binding("batch=1..8")};
  options.hardware.runner = recorder.runner();
  const ModelPlan plan = compile(options.compile, options.hardware).plan;
  ASSERT_GT(plan.image_pool.slots.size(), 1u);
  const Verdict verdict = verify(options);
  const auto runs = static_cast<int64_t>(verdict.data_sets.size()) * 2;
  for (const DataSetVerdict& set : verdict.data_sets) EXPECT_EQ(set.problem, "");
  const Recorded recorded = recorder.take();
  EXPECT_EQ(recorded.launches, runs * planned_launches(plan));
  EXPECT_EQ(recorded.synchronisations, runs);
  EXPECT_EQ(recorded.objects, 0) << "not released";
}

TEST(EmittedOpenCl, JointLaunchesAreFewer) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  options.compile.model = kTests + "/models/branches/model.onnx";
  options.hardware.runner = recorder.runner();
  int64_t launches[2];
  for (const ParallelFusion mode : {ParallelFusion::off, ParallelFusion::all}) {
    options.compile.parallel_fusion = mode;
    const Compiled compiled = compile(options.compile, options.hardware);
    const auto runs = static_cast<int64_t>(verify(options).data_sets.size()) * 2;
    const bool joint = mode == ParallelFusion::all;
    launches[joint] = recorder.take().launches;
    EXPECT_EQ(launches[joint], runs * planned_launches(compiled.plan));
  }
  EXPECT_LT(launches[1], launches[0]);
}

// What data decide reaches the host: an element.
TEST(EmittedOpenCl, HostWaitsWhereDataDecide) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  options.compile.model = kTests + "/models/nonzero/model.onnx";
  options.hardware.runner = recorder.runner();
  const Verdict verdict = verify(options);
  const auto runs = static_cast<int64_t>(verdict.data_sets.size()) * 2;
  EXPECT_EQ(recorder.take().synchronisations, 2 * runs) << "one size, and the end";
}

// A size that only kernels need stays on the device.
TEST(EmittedOpenCl, HostDoesNotWaitForSizesOfKernels) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  expect_all_pass(find_cases(kTests + "/models/rows_summed"), options);
  options.compile.model = kTests + "/models/rows_summed/model.onnx";
  options.compile.import.dims = {parse_dim_binding("rows=1..512")};
  options.hardware.runner = recorder.runner();
  for (const bool on_device : {false, true}) {
    options.compile.sizes_on_device = on_device;
    const Verdict verdict = verify(options);
    const auto runs = static_cast<int64_t>(verdict.data_sets.size()) * 2;
    for (const DataSetVerdict& set : verdict.data_sets) EXPECT_EQ(set.problem, "");
    EXPECT_EQ(recorder.take().synchronisations, (on_device ? 1 : 2) * runs);
  }
}

// Sizes that must agree, and a TopK whose k is found there.
TEST(EmittedOpenCl, HostDoesNotWaitForChecksOfSizes) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  options.compile.model = kTests + "/models/rows_matched/model.onnx";
  options.compile.import.dims = {parse_dim_binding("rows=1..512")};
  expect_all_pass(find_cases(kTests + "/models/rows_matched"), options);
  options.hardware.runner = recorder.runner();
  const Verdict verdict = verify(options);
  EXPECT_EQ(recorder.take().synchronisations, static_cast<int64_t>(verdict.data_sets.size()) * 2);
}

// Suppression of boxes, distinct elements, the best of long lines: kernels find them. The host
// reads the two sizes that outputs have.
TEST(EmittedOpenCl, PlacesAreFoundByKernels) {
  const Recorder recorder;
  VerifyOptions options = on_device();
  options.compile.import.dims = {parse_dim_binding("boxes=1..64")};
  expect_all_pass(find_cases(kTests + "/models/boxes_found"), options);
  options.compile.model = kTests + "/models/boxes_found/model.onnx";
  const Compiled compiled = compile(options.compile, options.hardware);
  for_each_step(compiled.plan.graph.steps,
                [](const Step& step) { EXPECT_FALSE(std::holds_alternative<Procedure>(step)); });
  options.hardware.runner = recorder.runner();
  const Verdict verdict = verify(options);
  const auto runs = static_cast<int64_t>(verdict.data_sets.size()) * 2;
  EXPECT_EQ(recorder.take().synchronisations, 3 * runs);
}

// The run goes on to its end, touches nothing that it must not, and says what did not agree.
TEST(EmittedOpenCl, ChecksThatFailOnTheDeviceAreAStatus) {
  namespace w = onnx_writer;
  const auto write = [](const std::string& path, const w::Message& tensor) {
    std::ofstream(path, std::ios::binary) << tensor.bytes();
  };
  const ScratchFolder folder;
  const std::vector<float> x(7 * 6, 1.0f);
  const std::string a("\1\1\1\0\0\0\0", 7), b("\1\1\1\1\1\0\0", 7);
  write(folder.path() + "/input_0.pb",
        w::raw_tensor("x", w::kFloat, {7, 6},
                      {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(float)}));
  write(folder.path() + "/input_1.pb", w::raw_tensor("a", w::kBool, {7}, a));
  write(folder.path() + "/input_2.pb", w::raw_tensor("b", w::kBool, {7}, b));
  for (const char* output : {"/output_0.pb", "/output_1.pb"})
    std::filesystem::copy(kTests + "/models/rows_matched/test_data_set_0" + output,
                          folder.path() + output);
  VerifyOptions options = on_device();
  options.compile.model = kTests + "/models/rows_matched/model.onnx";
  options.compile.import.dims = {parse_dim_binding("rows=1..512")};
  options.data = {folder.path()};
  const Verdict verdict = verify(options);
  ASSERT_EQ(verdict.data_sets.size(), 1u);
  EXPECT_NE(verdict.data_sets[0].problem.find("sizes that must agree do not"), std::string::npos)
      << verdict.data_sets[0].problem;
}

TEST(EmittedOpenCl, WithoutOpenClTheStatusSaysSo) {
  VerifyOptions options = on_device();
  const ScratchFolder empty;
  // A library of that name that is none, found first.
  std::ofstream(empty.path() + "/libOpenCL.so.1") << "none";
  std::ofstream(empty.path() + "/libOpenCL.so") << "none";
  options.compile.model = kTests + "/models/relu_sym/model.onnx";
  options.hardware.runner = {"env", "LD_LIBRARY_PATH=" + empty.path()};
  try {
    verify(options);
    FAIL() << "it ran";
  } catch (const ToolFailed& failed) {
    EXPECT_NE(std::string(failed.what()).find("no OpenCL library was found"), std::string::npos)
        << failed.what();
  }
}

}  // namespace
}  // namespace burin::emitted_opencl_test
