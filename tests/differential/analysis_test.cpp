// What `burin analyze --json` prints is a contract: configs/analyze.schema.json, and figures that
// agree with each other, for many models.
#include "report/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "differential/support/emitted.h"
#include "hardware/schema.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

const std::string kRoot = BURIN_SOURCE_DIR;

void expect_consistent(const JsonValue& json, const std::string& where) {
  int64_t macs = 0;
  const JsonValue kernels = json.at("kernels");
  for (size_t i = 0; i < kernels.size(); ++i) {
    macs += kernels[i].at("macs").as_integer();
    EXPECT_GT(kernels[i].at("nodes").size(), 0U) << where << ": a kernel stands for no node";
  }
  EXPECT_EQ(json.at("model").at("macs").as_integer(), macs) << where;
  const JsonValue arena = json.at("arena");
  EXPECT_GE(arena.at("bytes_at_hints").as_integer(), arena.at("lower_bound_at_hints").as_integer())
      << where;
  const JsonValue selection = json.at("selection");
  EXPECT_LE(selection.at("bound").as_integer(), selection.at("cost").as_integer()) << where;
  for (const char* other : {"row_major", "local", "greedy", "gcd2_13", "gcd2_17"}) {
    EXPECT_GE(selection.at("alternatives").at(other).as_integer(),
              selection.at("bound").as_integer())
        << where << ": " << other;
  }
}

TEST(Analysis, ManyModelsKeepToTheSchema) {
  const JsonDocument schema = read_json_file(kRoot + "/configs/analyze.schema.json");
  const Hardware hardware = project_hardware("cpp-generic");
  std::vector<std::string> cases = sample(onnx_cases(), 300);
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) cases.push_back(folder);
  size_t refused = 0;
  for (const std::string& folder : cases) {
    CompileOptions options;
    options.model = folder + "/model.onnx";
    options.layouts = LayoutUse::planned;  // as the command does
    std::string text;
    try {
      text = to_json(analyze(compile(options, hardware)));
    } catch (const Refused&) {
      ++refused;
      continue;
    }
    const JsonDocument json = read_json_text(text, folder);
    EXPECT_NO_THROW(validate(json.root(), schema.root())) << text;
    expect_consistent(json.root(), folder);
  }
  EXPECT_LT(refused, cases.size() / 4);
}

}  // namespace
}  // namespace burin
