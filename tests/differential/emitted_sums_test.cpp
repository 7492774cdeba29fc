// Long sums stay near the exact one: the error of blocked summation, not that of a million
// additions one after the other.
#include <gtest/gtest.h>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_sums_test {
namespace {

namespace w = onnx_writer;

TEST(EmittedSums, AMillionEqualTerms) {
  const w::GraphParts parts{
      .nodes = {w::node("ReduceSum", {"x"}, {"sum"}, {w::integer_attribute("keepdims", 0)})},
      .initializers = {},
      .inputs = {w::value("x", w::kFloat, {"n"})},
      .outputs = {w::Message().text(1, "sum")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes());
  constexpr int64_t kTerms = 1'000'000;
  HostTensor x = make_tensor(Type::f32, {kTerms});
  for (int64_t k = 0; k < kTerms; ++k) x.set(k, {0.1, 0});
  const double exact = static_cast<double>(kTerms) * x.get(0).number;
  const RunOutcome outcome = program.run({x});
  ASSERT_EQ(outcome.status, 0);
  // 256 additions in each of four lanes, three of the lanes, 977 of the blocks; half a unit each.
  const double bound = (256 + 3 + 977) * 0x1p-24;
  EXPECT_NEAR(outcome.outputs.at(0).get(0).number, exact, bound * exact);
}

}  // namespace
}  // namespace burin::emitted_sums_test
