// Trees whose tensors lie in images (SmartMem 3.3), compiled and run on PoCL: in images whatever
// may, and the mix that a device chooses on which images pay; the same results as buffers.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"
#include "report/data_set.h"

namespace burin::emitted_images_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

VerifyOptions in_images() {
  VerifyOptions options;
  options.hardware = project_hardware("pocl");
  options.fast = options.hold_inputs = true;
  options.compile.memory = MemoryUse::images;
  return options;
}

// Images have bounds.
VerifyOptions with_dims(VerifyOptions options, const std::vector<const char*>& dims) {
  for (const char* dim : dims) options.compile.import.dims.push_back(parse_dim_binding(dim));
  return options;
}

struct Images {
  size_t constants = 0, written = 0;
};
Images images_of(const VerifyOptions& options, const std::string& model) {
  CompileOptions compiling = options.compile;
  compiling.model = kTests + "/models/" + model + "/model.onnx";
  const ModelPlan plan = compile(compiling, options.hardware).plan;
  return {plan.image_constants.size(), plan.images.maps.size() - plan.image_constants.size()};
}

void expect_agrees(const std::string& model, const VerifyOptions& options) {
  expect_all_pass(find_cases(kTests + "/models/" + model), options);
}

const std::vector<const char*> kBranches = {"batch=1..8", "h=1..64", "w=1..64"};

TEST(EmittedImages, ModelsAgreeInImages) {
  const VerifyOptions options = with_dims(in_images(), kBranches);
  const Images images = images_of(options, "branches");
  EXPECT_GT(images.constants, 0u);
  EXPECT_GT(images.written, 1u);
  expect_agrees("branches", options);
}

// Tiles of products and of attention, cooperative work-groups.
TEST(EmittedImages, ModelsAgreeInTheTilesOfALargeDevice) {
  VerifyOptions options = with_dims(in_images(), {"batch=1..8", "seq=1..64"});
  options.hardware.opencl = project_hardware("nvidia-h200").opencl;
  options.hardware.opencl.launch_us = 0;
  EXPECT_GT(images_of(options, "attention_shape_chain").written, 1u);
  expect_agrees("attention_shape_chain", options);
}

// Images are made before a run says how many rows there are; it tells the caller, or nobody.
TEST(EmittedImages, SizesOfTheRunHaveRoom) {
  const VerifyOptions options = with_dims(in_images(), {"rows=1..512", "cols=1..16"});
  for (const char* model : {"rows_kept", "rows_summed"}) {
    SCOPED_TRACE(model);
    EXPECT_GT(images_of(options, model).written, 0u);
    expect_agrees(model, options);
  }
}

// Buffers and images beside each other, in launches of their own and in joint ones.
TEST(EmittedImages, ModelsAgreeInTheMixThatPays) {
  VerifyOptions options = with_dims(in_images(), kBranches);
  options.compile.memory = MemoryUse::selected;
  EXPECT_EQ(images_of(options, "branches").written, 0u) << "images are slow here";
  options.hardware.opencl.images.texel_read_percent = 100;
  EXPECT_GT(images_of(options, "branches").written, 0u);
  options.compile.parallel_fusion = ParallelFusion::all;
  expect_agrees("branches", options);
}

}  // namespace
}  // namespace burin::emitted_images_test
