// Reshape and its relatives: what 0 and -1 stand for, with shapes that are constants, run-time
// values or symbols.
#include <gtest/gtest.h>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "ops/support/node_runner.h"
#include "support/diagnostics.h"

namespace burin::reshape_test {
namespace {

HostTensor reshaped(Argument data, Argument shape) {
  return run({"Reshape", 21, {std::move(data), std::move(shape)}})[0];
}

TEST(Reshape, ZeroAndMinusOne) {
  for (const auto data : {given, sized}) {
    for (const auto shape : {fixed, given}) {
      const HostTensor y = reshaped(data(counting({2, 3, 4})), shape(ints({0, -1, 2})));
      EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 6, 2}));
      EXPECT_EQ(numbers_of(y), numbers_of(counting({24})));
    }
  }
}

TEST(Reshape, MovesNothing) {
  const HostTensor y = reshaped(sized(counting({6, 4})), fixed(ints({2, 3, -1})));
  EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(numbers_of(y), numbers_of(counting({24})));
}

TEST(Reshape, RefusesContradictions) {
  const auto rule = [](std::vector<int64_t> shape) {
    return refusal({"Reshape", 21, {given(counting({2, 3})), fixed(ints(shape))}});
  };
  EXPECT_EQ(rule({-1, -1}), "shape-mismatch");
  EXPECT_EQ(rule({4, -1}), "shape-mismatch");
  EXPECT_EQ(rule({-2, 3}), "shape-mismatch");
  EXPECT_EQ(rule({5}), "shape-mismatch");
  EXPECT_EQ(rule({2, 3, 0}), "shape-mismatch");
  EXPECT_EQ(rule({3, 2}), "");
}

TEST(Reshape, RunTimeShapeThatDoesNotFitIsAStatus) {
  EXPECT_THROW(reshaped(given(counting({2, 3})), given(ints({4, 2}))), std::runtime_error);
}

TEST(Squeeze, DropsOnlyOnes) {
  const auto rule = [](Argument data, Argument axes) {
    return refusal({"Squeeze", 13, {std::move(data), std::move(axes)}});
  };
  EXPECT_EQ(run({"Squeeze", 13, {given(counting({1, 3, 1}))}})[0].shape, (std::vector<int64_t>{3}));
  EXPECT_EQ(rule(given(counting({1, 3})), fixed(ints({1}))), "shape-mismatch");
  EXPECT_EQ(rule(given(counting({1, 3})), fixed(ints({0, 0}))), "bad-attribute");
  EXPECT_EQ(rule(sized(counting({1, 3})), absent()), "dynamic-shape");
}

// Whether an open size is dropped follows from the rank that the file declares; the run checks it.
TEST(Squeeze, TheDeclaredRankDecides) {
  const auto squeezed = [](const std::string& declared, int64_t n) {
    const KernelGraph graph =
        lower(parse_graph("graph \"g\" file \"g.onnx\" ir 8\nsymbol \"n\" param 1..inf\n"
                          "symbol \"m\" param 1..inf\nvalue %0 \"x\" f32 [n, 1]\n"
                          "value %1 \"y\" f32 " +
                          declared +
                          "\nblock \"g\" (%0) -> (%1) {\nnode 0 \"s\" Squeeze@13 (%0) -> (%1)\n}"),
              {})
            .graph;
    return interpret(graph, {counting({n, 1})}, bind_symbols(graph, {{n, 1}}));
  };
  EXPECT_EQ(squeezed("[m]", 3).outputs.at(0).shape, (std::vector<int64_t>{3}));
  EXPECT_THROW(squeezed("[m]", 1), Refused);
  EXPECT_THROW(squeezed("[]", 1), Refused);
  EXPECT_THROW(squeezed("?", 3), Refused);
  EXPECT_THROW(squeezed("[m, 1]", 3), Refused);
}

TEST(Squeeze, AxesOfTheRun) {
  const auto shape = [](Argument axes) {
    return run({"Squeeze", 13, {given(counting({1, 3, 1})), std::move(axes)}})[0].shape;
  };
  EXPECT_EQ(shape(given(ints({0}))), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(shape(given(ints({-1}))), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(shape(given(ints({2, 0}))), (std::vector<int64_t>{3}));
  EXPECT_THROW(shape(given(ints({1}))), std::runtime_error);      // of extent 3
  EXPECT_THROW(shape(given(ints({0, -3}))), std::runtime_error);  // twice the same
  EXPECT_THROW(shape(given(ints({3}))), std::runtime_error);      // there is none
}

TEST(Unsqueeze, CountsAxesInTheResult) {
  const HostTensor y = run({"Unsqueeze", 13, {sized(counting({2, 3})), fixed(ints({-1, 0}))}})[0];
  EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 2, 3, 1}));
  EXPECT_EQ(refusal({"Unsqueeze", 13, {given(counting({2})), fixed(ints({2}))}}), "bad-attribute");
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  const auto rule = [](std::vector<int64_t> perm) {
    return refusal({"Transpose", 13, {given(counting({2, 3}))}, {{"perm", perm}}});
  };
  EXPECT_EQ(rule({0, 0}), "bad-attribute");
  EXPECT_EQ(rule({0}), "bad-attribute");
  EXPECT_EQ(rule({0, 2}), "bad-attribute");
  EXPECT_EQ(rule({-1, 0}), "bad-attribute");
  EXPECT_EQ(rule({1, 0}), "");
}

}  // namespace
}  // namespace burin::reshape_test
