// Emitted kernels do not divide in innermost loops to find out where they are.
#include "differential/support/emitted_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/cpp/cpp_language.h"
#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"
#include "fuse/constants/unpack.h"
#include "print/kernel_printer.h"
#include "report/data_set.h"
#include "select/select.h"

namespace burin::emitted_loops_test {
namespace {

TEST(EmittedLoops, InnermostLinesAreFound) {
  const std::vector<std::string> lines = innermost_lines(
      "void f() {\n"
      "  int64_t q = a / 4;\n"
      "  for (int64_t i = 0; i < n; ++i) {\n"
      "    const int64_t r = i % 4;\n"
      "    for (int64_t j = m / 5; j < m / 3; ++j) {\n"
      "      if (j < r) {\n"
      "        y[j / 2] = x[j];\n"
      "      }\n"
      "      while (r >= 4) {\n"
      "        r -= 4 % j;\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "  for (int64_t k = n / 2; k < n % 3; ++k) y[k] = k % 7;\n"
      "}\n");
  const auto has = [&](const char* part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(part) != line.npos; });
  };
  EXPECT_TRUE(has("y[j / 2]"));
  EXPECT_TRUE(has("r -= 4 % j"));
  EXPECT_TRUE(has("j < m / 3"));
  EXPECT_TRUE(has("k < n % 3"));
  EXPECT_TRUE(has("k % 7"));
  EXPECT_FALSE(has("m / 5"));
  EXPECT_FALSE(has("n / 2"));
  EXPECT_FALSE(has("a / 4"));
  EXPECT_FALSE(has("i % 4"));
}

TEST(EmittedLoops, DivisionsAreFound) {
  const auto divides = [](const char* line) { return !index_divisions(line).empty(); };
  EXPECT_TRUE(divides("y0[i0 % 4] = x0[i0];"));
  EXPECT_TRUE(divides("const int64_t q1 = i0 / 4;"));
  EXPECT_TRUE(divides("if ((i2 + q1 - 1) / n0 < n1) {"));
  EXPECT_TRUE(divides("x0[n0 * ((i0 + 3) / (n1 * n2)) + 1]"));
  EXPECT_TRUE(divides("y0[burin_rt::floor_divide<int64_t>(i0 - 1, 3)] = t0;"));
  EXPECT_TRUE(divides("const float t0 = static_cast<float>(static_cast<int64_t>((i1 % n0)));"));
  EXPECT_TRUE(divides("y0[i0] = burin_rt::divide(static_cast<int64_t>(i0), 3);"));
  EXPECT_TRUE(divides("x0[(burin_rt::minimum<int64_t>(i0, n1) / 2)]"));
  // The network's own divisions.
  EXPECT_FALSE(divides("y0[i0] = (x0[i0] / sum1);"));
  EXPECT_FALSE(divides("const float t0 = x0[4 * i0] / 3.0f;"));
  EXPECT_FALSE(divides("const float t0 = static_cast<float>(i0) / 3.0f;"));
  EXPECT_FALSE(divides("const float t0 = t1 / static_cast<float>(n0);"));
  EXPECT_FALSE(divides("y0[i0] = burin_rt::floor_mod(x0[i0], x1[i0]);"));
  EXPECT_FALSE(divides("y0[i0] = burin_rt::divide(x0[i0], 3);"));
  // Places that are data.
  EXPECT_FALSE(divides("y0[5 * (t0 / 4) + (t0 % 4)] = x1[2 * i0];"));
  EXPECT_FALSE(divides("y0[x0[i0] % 4] = 1.0f;"));
}

struct Count {
  int kernels = 0, loops = 0;
};

// Prints every kernel of a graph and expects no division innermost.
void expect_no_division(const KernelGraph& graph, const Hardware& hardware, const std::string& what,
                        Count& count) {
  const Selection selection = select(graph, hardware);
  for (const auto& [step, schedule] : selection.kernels) {
    const print::PrintedKernel printed =
        print::print_kernel(schedule, selection.graph.values, {}, cpp::cpp_language());
    ++count.kernels;
    const std::vector<std::string> lines = innermost_lines(printed.body);
    if (!lines.empty()) ++count.loops;
    for (const std::string& line : lines) {
      const std::vector<std::string> divisions = index_divisions(line);
      if (divisions.empty()) continue;
      ADD_FAILURE() << what << ": " << schedule.kernel.name << " (" << schedule.family
                    << "): " << divisions[0] << " in\n"
                    << line;
      break;
    }
  }
}

void expect_no_divisions(bool symbolic, bool fused) {
  std::vector<std::string> cases = onnx_cases();
  const std::string tests = std::string(BURIN_SOURCE_DIR) + "/tests";
  for (const std::string& folder : find_cases(tests + "/models")) cases.push_back(folder);
  const std::vector<Hardware> machines = {project_hardware("cpp-generic"),
                                          project_hardware("x86-64-v3")};
  Count count;
  // Every case on one machine: the transform that counts is the same, sizes and fusions ask it
  // again.
  for (size_t k = 0; k < cases.size(); ++k) {
    std::optional<Lowered> lowered = lower_onnx_case(cases[k], symbolic);
    if (!lowered) continue;
    const KernelGraph graph =
        unpack_nibbles(fused ? fuse(std::move(lowered->graph), {}) : std::move(lowered->graph));
    expect_no_division(graph, machines[(k + (symbolic || !fused ? 1 : 0)) % 2], cases[k], count);
  }
  EXPECT_GT(count.kernels, 1000);
  EXPECT_GT(count.loops, count.kernels / 2);
}

TEST(EmittedLoops, NoIndexIsDividedInnermost) { expect_no_divisions(false, true); }
TEST(EmittedLoops, NoIndexIsDividedInnermostWithSymbolicShapes) { expect_no_divisions(true, true); }
TEST(EmittedLoops, NoIndexIsDividedInnermostBeforeFusing) { expect_no_divisions(false, false); }

}  // namespace
}  // namespace burin::emitted_loops_test
