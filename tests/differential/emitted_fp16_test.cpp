// Halves: trees that keep tensors in sixteen bits and compute in them, on PoCL. It has no
// arithmetic in fp16, so tests/opencl/halves.cpp in the place of libOpenCL gives it one that
// rounds after every operation, as the interpreter does: where no function or sum takes part,
// results are the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/support/emitted.h"
#include "report/data_set.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/verdict_text.h"

namespace burin::emitted_fp16_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

// PoCL, with fp16.
class Halves {
 public:
  Halves() {
    const ProcessResult built =
        run_process({"g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
                     "-o", folder_.path() + "/libOpenCL.so.1", kTests + "/opencl/halves.cpp"},
                    120);
    EXPECT_EQ(built.exit_code, 0) << built.output;
  }
  VerifyOptions options(Fp16Use use) const {
    VerifyOptions out;
    out.hardware = project_hardware("pocl");
    out.hardware.opencl.fp16 = true;
    out.hardware.runner = {"env", "LD_LIBRARY_PATH=" + folder_.path(),
                           "BURIN_CL_REAL=/usr/lib/x86_64-linux-gnu/libOpenCL.so.1"};
    out.fast = out.hold_inputs = true;
    out.compile.half = use;
    return out;
  }

 private:
  ScratchFolder folder_;
};

// Numpy rounds after every node; so does a tree whose arithmetic is that of the model and in
// halves.
TEST(EmittedFp16, ElementsAreRoundedAfterEveryOperation) {
  const Halves halves;
  VerifyOptions options = halves.options(Fp16Use::arithmetic);
  options.compile.model = kTests + "/models/halves/model.onnx";
  FuseOptions& fuse = options.compile.fuse;
  fuse.associative = fuse.distributive = fuse.commutative = false;
  const auto largest = [&](MemoryUse memory) {
    options.compile.memory = memory;
    double difference = 0;
    for (const DataSetVerdict& set : verify(options).data_sets) {
      EXPECT_EQ(set.problem, "");
      EXPECT_TRUE(set.agrees());
      difference = std::max(difference, set.outputs.at(0).difference.absolute);
    }
    return difference;
  };
  EXPECT_EQ(largest(MemoryUse::buffers), 0);
  options.compile.import.dims = {parse_dim_binding("n=1..64")};
  EXPECT_EQ(largest(MemoryUse::images), 0);
  options.compile.half = Fp16Use::storage;
  EXPECT_GT(largest(MemoryUse::buffers), 0) << "floats do not round between nodes";
}

void expect_agrees(const std::vector<const char*>& models, const VerifyOptions& options) {
  for (const char* model : models)
    expect_all_pass(find_cases(kTests + "/models/" + model), options);
}

TEST(EmittedFp16, ModelsKeptInHalvesAgree) {
  const Halves halves;
  expect_agrees({"residual_blocks", "lstm", "loop_bounded"}, halves.options(Fp16Use::storage));
}

// On CPUs, whose panels of weights are fp16 then: with the instructions that widen and without.
TEST(EmittedFp16, CpusWidenWhatTheyKeep) {
  for (const char* config : {"x86-64-v3", "cpp-generic", "armv8-neoverse-n1", "cortex-m7"}) {
    VerifyOptions options;
    options.hardware = project_hardware(config);
    options.fast = options.hold_inputs = true;
    options.compile.half = Fp16Use::storage;
    expect_agrees({"residual_blocks", "lstm_wide", "planes_of_filters"}, options);
  }
}

TEST(EmittedFp16, ModelsComputedInHalvesAgree) {
  const Halves halves;
  VerifyOptions options = halves.options(Fp16Use::arithmetic);
  expect_agrees({"halves", "residual_blocks"}, options);
  options.hardware.opencl = project_hardware("nvidia-h200").opencl;
  options.hardware.opencl.fp16 = true;
  options.hardware.opencl.launch_us = 0;
  expect_agrees({"attention_shape_chain"}, options);
}

// Trees as descriptions of phones have them, whose devices compute in fp16: tiles, images that
// pay there, cooperative work-groups and attention.
TEST(EmittedFp16, TreesForPhonesAgree) {
  const Halves halves;
  for (const char* phone : {"adreno-740", "mali-g610"}) {
    VerifyOptions options = halves.options(Fp16Use::arithmetic);
    options.hardware.opencl = project_hardware(phone).opencl;
    ASSERT_TRUE(options.hardware.opencl.fp16) << phone;
    expect_agrees({"halves", "residual_blocks", "attention_shape_chain"}, options);
  }
}

// Keeping tensors in fp16 takes no extension: PoCL as it is.
TEST(EmittedFp16, StorageNeedsNoArithmeticInHalves) {
  VerifyOptions options;
  options.hardware = project_hardware("pocl");
  ASSERT_FALSE(options.hardware.opencl.fp16);
  options.fast = options.hold_inputs = true;
  options.compile.half = Fp16Use::storage;
  expect_agrees({"residual_blocks", "branches"}, options);
}

TEST(EmittedFp16, ImagesOfHalvesAgree) {
  const Halves halves;
  for (const Fp16Use use : {Fp16Use::storage, Fp16Use::arithmetic}) {
    VerifyOptions options = halves.options(use);
    options.compile.memory = MemoryUse::images;
    for (const char* dim : {"batch=1..8", "h=1..64", "w=1..64"})
      options.compile.import.dims.push_back(parse_dim_binding(dim));
    expect_all_pass(find_cases(kTests + "/models/branches"), options);
  }
}

TEST(EmittedFp16, DeviceWithoutHalvesIsRefused) {
  VerifyOptions options = Halves().options(Fp16Use::arithmetic);
  options.hardware.runner = {};
  options.compile.model = kTests + "/models/branches/model.onnx";
  try {
    verify(options);
    FAIL() << "it ran";
  } catch (const ToolFailed& failed) {
    EXPECT_NE(std::string(failed.what()).find("does not compute in half precision"),
              std::string::npos)
        << failed.what();
  }
}

}  // namespace
}  // namespace burin::emitted_fp16_test
