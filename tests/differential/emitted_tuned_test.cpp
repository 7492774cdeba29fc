// Trees made with tuning files, compiled and run on PoCL: whatever a file says of work-groups,
// tiles, vectors and points of work-items, unrolling, images and joint launches, results are the
// same.
#include <gtest/gtest.h>

#include "differential/support/drawn_tuning.h"
#include "differential/support/emitted.h"
#include "report/data_set.h"

namespace burin::emitted_tuned_test {
namespace {

const std::string kModels = std::string(BURIN_SOURCE_DIR) + "/tests/models/";

void expect_agrees(const std::string& model, const std::vector<const char*>& dims, uint64_t seed) {
  VerifyOptions options;
  options.hardware = project_hardware("pocl");
  options.fast = options.hold_inputs = true;
  for (const char* dim : dims) options.compile.import.dims.push_back(parse_dim_binding(dim));
  options.compile.parallel_fusion = ParallelFusion::measured;
  CompileOptions compile = options.compile;
  compile.model = kModels + model + "/model.onnx";
  options.compile.tuning = drawn_tuning(compile, options.hardware, seed);
  ASSERT_FALSE(options.compile.tuning->kernels.empty()) << model;
  expect_all_pass(find_cases(kModels + model), options);
}

TEST(EmittedTuned, ModelsAgreeWhateverAFileSays) {
  expect_agrees("branches", {"batch=1..8", "h=1..64", "w=1..64"}, 9);
  for (const uint64_t seed : {1, 2}) {
    expect_agrees("attention_shape_chain", {"batch=1..8", "seq=1..64"}, seed);
    expect_agrees("residual_blocks", {}, seed);
  }
  expect_agrees("lstm", {}, 4);
  expect_agrees("rows_kept", {}, 5);
  expect_agrees("softmax_sym", {}, 6);
  expect_agrees("nonzero", {}, 7);
  expect_agrees("convtranspose", {}, 8);
}

}  // namespace
}  // namespace burin::emitted_tuned_test
