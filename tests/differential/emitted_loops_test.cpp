// Emitted kernels do not divide integers in innermost loops to find out where they are.
#include "differential/support/emitted_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "backends/cpp/emit.h"
#include "differential/support/emitted.h"
#include "pipeline.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

TEST(EmittedLoops, InnermostLinesAreFound) {
  const std::vector<std::string> lines = innermost_lines(
      "void f() {\n"
      "  int64_t q = a / 4;\n"
      "  for (int64_t i = 0; i < n; ++i) {\n"
      "    const int64_t r = i % 4;\n"
      "    for (int64_t j = 0; j < n; ++j) {\n"
      "      if (j < r) {\n"
      "        y[j / 2] = x[j];\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "}\n");
  ASSERT_EQ(std::count_if(lines.begin(), lines.end(), divides_integers), 1);
  EXPECT_NE(std::find(lines.begin(), lines.end(), "        y[j / 2] = x[j];"), lines.end());
}

TEST(EmittedLoops, DivisionsAreFound) {
  EXPECT_TRUE(divides_integers("y[i % 4] = x;"));
  EXPECT_TRUE(divides_integers("const int64_t q1 = i / 4;"));
  EXPECT_TRUE(divides_integers("y[burin_rt::floor_divide<int64_t>(i, 3)] = x;"));
  EXPECT_FALSE(divides_integers("y[i] = (x[i] / sum);"));
  EXPECT_FALSE(divides_integers("const float t0 = x[4 * i] / 3.0f;"));
}

// Of the network's own operators: Mod and Div may divide their data.
bool divides_data(const std::string& source) {
  const std::string first = source.substr(0, source.find('\n'));
  return first.find("Mod") != first.npos || first.find("Div") != first.npos;
}

// Kernels that divide when this was last lowered: transposed convolutions, whose guards are
// congruences, quotients of quotients in packed convolutions, and the row of a recurrent state. It
// only goes down.
constexpr int kMostDividing = 30;

TEST(EmittedLoops, FewIndicesAreDividedInnermost) {
  std::vector<std::string> models;
  for (const std::string& folder : onnx_cases()) models.push_back(folder + "/model.onnx");
  const std::string tests = std::string(BURIN_SOURCE_DIR) + "/tests";
  for (const std::string& folder : find_cases(tests + "/models"))
    models.push_back(folder + "/model.onnx");
  models.push_back(tests + "/digits/digits.onnx");
  const Hardware hardware = project_hardware("cpp-generic");
  int kernels = 0, dividing = 0;
  for (const std::string& model : models) {
    CompileOptions options;
    options.model = model;
    try {
      const Compiled compiled = compile(options, hardware);
      const cpp::EmittedTree emitted = cpp::emit(compiled.plan);
      for (const auto& [path, entry] : emitted.tree.entries()) {
        if (!path.starts_with("src/kernels/") || divides_data(entry.bytes)) continue;
        ++kernels;
        const std::vector<std::string> lines = innermost_lines(entry.bytes);
        const auto at = std::find_if(lines.begin(), lines.end(), divides_integers);
        if (at == lines.end()) continue;
        ++dividing;
        std::cout << model << ": " << path << ": " << *at << "\n";
      }
    } catch (const Refused&) {
    }
  }
  EXPECT_GT(kernels, 500);
  EXPECT_LE(dividing, kMostDividing);
}

}  // namespace
}  // namespace burin
