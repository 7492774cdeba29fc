// Trees whose convolutions are computed by fewer products, in tiles of every size and both orders:
// compiled with sanitizers, run, and held against onnxruntime's results.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"
#include "report/analysis.h"
#include "verify/verdict_text.h"

namespace burin::emitted_winograd_test {
namespace {

const std::string kModel =
    std::string(BURIN_SOURCE_DIR) + "/tests/models/planes_of_filters/model.onnx";

// Every convolution has the verb, or none of them.
Tuning told(const CompileOptions& options, const Hardware& hardware, const Verb& verb) {
  Tuning out;
  const Compiled compiled = compile(options, hardware);
  for (const auto& [step, schedule] : compiled.plan.kernels) {
    if (find_verb(schedule.verbs, "window") != nullptr)
      out.kernels[compiled.kernel_keys.at(step)].verbs = {verb};
  }
  EXPECT_EQ(out.kernels.size(), 3U);
  return out;
}

TEST(EmittedWinograd, TilesOfEverySizeAgree) {
  for (const char* const machine : {"cpp-generic", "x86-64-v3"}) {
    for (const auto& [outputs, band, by_points] :
         {std::tuple{2, 3, 0}, std::tuple{4, 1, 1}, std::tuple{4, 9, 0}, std::tuple{6, 2, 1}}) {
      VerifyOptions options;
      options.hardware = project_hardware(machine);
      options.fast = options.sanitize = true;
      options.compile.model = kModel;
      CompileOptions plain = options.compile;
      plain.winograd_error = 0;
      options.compile.tuning =
          told(plain, options.hardware, {"winograd", {outputs, band, by_points}});
      const Compiled compiled = compile(options.compile, options.hardware);
      int few = 0;
      for (const auto& [step, schedule] : compiled.plan.kernels)
        few += find_verb(schedule.verbs, "winograd") != nullptr;
      EXPECT_EQ(few, 3);
      const Verdict verdict = verify(options);
      EXPECT_TRUE(verdict.agrees()) << machine << ' ' << outputs << ' ' << band << '\n'
                                    << verdict_text(verdict);
      EXPECT_EQ(verdict.data_sets.size(), 2U);
    }
  }
}

// Whatever the form, a network has the multiply-adds of its operators: tiles beyond the plane are
// not counted.
TEST(EmittedWinograd, CountsWhatOperatorsMultiply) {
  const Hardware hardware = project_hardware("x86-64-v3");
  CompileOptions options;
  options.model = kModel;
  const Compiled few = compile(options, hardware);
  options.without_verbs = {"winograd"};
  const Compiled off = compile(options, hardware);
  int tiled = 0;
  for (const auto& [step, schedule] : few.plan.kernels)
    tiled += find_verb(schedule.verbs, "winograd") != nullptr;
  EXPECT_GT(tiled, 0);
  for (const auto& [step, schedule] : off.plan.kernels)
    EXPECT_EQ(find_verb(schedule.verbs, "winograd"), nullptr);
  EXPECT_EQ(analyze(few).macs, analyze(off).macs);
}

}  // namespace
}  // namespace burin::emitted_winograd_test
