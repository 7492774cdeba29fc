// Products of dynamic rows: every version of their tiles (SoD2 4.4.2) gives the same.
// Factors are small integers, so that sums are exact in any order; bits of others are compared
// where threads share the rows.
#include <gtest/gtest.h>

#include <cstring>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_versions_test {
namespace {

namespace w = onnx_writer;

constexpr int64_t kDepth = 37;
// Below one vector, whole tiles, whole panels, and what leaves some columns of each.
constexpr int64_t kWidths[] = {3, 8, 16, 20, 33, 70, 100, 130};

float factor(int64_t row, int64_t column) { return static_cast<float>((7 * row + column) % 9 - 4); }

w::Message matrix(const std::string& name, int64_t columns) {
  std::string bytes(static_cast<size_t>(kDepth * columns) * sizeof(float), '\0');
  for (int64_t i = 0; i < kDepth * columns; ++i) {
    const float value = factor(i / columns, i % columns);
    std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof value, &value, sizeof value);
  }
  return w::raw_tensor(name, w::kFloat, {kDepth, columns}, bytes);
}

std::string products() {
  w::GraphParts parts;
  parts.inputs = {w::value("x", w::kFloat, {"batch", "seq", kDepth})};
  for (const int64_t columns : kWidths) {
    const std::string number = std::to_string(columns);
    parts.initializers.push_back(matrix("w" + number, columns));
    parts.nodes.push_back(w::node("MatMul", {"x", "w" + number}, {"p" + number}));
    parts.nodes.push_back(w::node("Relu", {"p" + number}, {"y" + number}));
    parts.outputs.push_back(w::Message().text(1, "y" + number));
  }
  return w::model(w::graph(parts)).bytes();
}

// Whether the rows of some product run alone where they are few, and have several accumulators.
struct Met {
  bool alone = false, accumulators = false;
};
Met met(const ModelPlan& plan) {
  Met out;
  for (const auto& [step, schedule] : plan.kernels) {
    const bool few = find_verb(schedule.verbs, "specialise rows") != nullptr;
    out.alone = out.alone || few;
    out.accumulators =
        out.accumulators || (few && find_verb(schedule.verbs, "accumulators") != nullptr);
  }
  return out;
}

void expect_exact(const EmittedProgram& program, int64_t batch, int64_t seq) {
  HostTensor x = make_tensor(Type::f32, {batch, seq, kDepth});
  const auto element = [](int64_t i) { return static_cast<double>((5 * i + i / 11) % 7 - 3); };
  for (int64_t i = 0; i < batch * seq * kDepth; ++i) x.set(i, {element(i), 0});
  const RunOutcome outcome = program.run({x});
  ASSERT_EQ(outcome.status, 0);
  size_t number = 0;
  for (const int64_t columns : kWidths) {
    const HostTensor& y = outcome.outputs.at(number++);
    for (int64_t i = 0; i < batch * seq * columns; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < kDepth; ++k)
        sum += element(i / columns * kDepth + k) * static_cast<double>(factor(k, i % columns));
      ASSERT_EQ(y.get(i).number, std::max(sum, 0.0))
          << batch << " x " << seq << ", " << columns << " columns, element " << i;
    }
  }
}

struct Case {
  const char* hardware;
  const char* seq;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.hardware << " " << one.seq; }

class EmittedVersions : public testing::TestWithParam<Case> {};

TEST_P(EmittedVersions, AllNumbersOfRowsAreExact) {
  EmittedOptions options{.dims = {"batch=1..4@1", GetParam().seq}, .hardware = GetParam().hardware};
  const EmittedProgram program(products(), options);
  EXPECT_TRUE(met(program.plan()).alone);
  EXPECT_TRUE(met(program.plan()).accumulators);
  for (int64_t seq = 1; seq <= 14; ++seq) expect_exact(program, 1, seq);
  expect_exact(program, 2, 1);
  expect_exact(program, 4, 16);
  expect_exact(program, 3, 9);
}

// Numbers whose sums differ in their last bits with the order.
TEST(EmittedThreads, ChangeNoBitOfVersions) {
  for (const char* const hardware : {"x86-64-v3", "cpp-generic"}) {
    const EmittedProgram program(products(), {.dims = {"batch=1", "seq=1..64@8"},
                                              .hardware = hardware,
                                              .sanitize = false,
                                              .threads = 3});
    size_t shared = 0;
    for (const auto& [step, schedule] : program.plan().kernels) shared += schedule.cut ? 1 : 0;
    EXPECT_GT(shared, std::size(kWidths) / 2) << hardware;
    for (int64_t seq = 1; seq <= 26; ++seq) {
      HostTensor x = make_tensor(Type::f32, {1, seq, kDepth});
      for (int64_t i = 0; i < seq * kDepth; ++i)
        x.set(i, {1.0 / static_cast<double>(3 + (7 * i + i / 5) % 41), 0});
      const std::vector<RunOutcome> outcomes = program.run_in_parts({x});
      ASSERT_EQ(outcomes.size(), 2U);
      for (size_t y = 0; y < std::size(kWidths); ++y)
        ASSERT_TRUE(outcomes[0].outputs.at(y) == outcomes[1].outputs.at(y))
            << hardware << ", " << seq << " rows, " << kWidths[y] << " columns";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Usual, EmittedVersions,
                         testing::Values(Case{"cpp-generic", "seq=1..16@1"},
                                         Case{"cpp-generic", "seq=1..16@8"},
                                         Case{"x86-64-v3", "seq=1..16@1"},
                                         Case{"x86-64-v3", "seq=1..16@8"}));

}  // namespace
}  // namespace burin::emitted_versions_test
