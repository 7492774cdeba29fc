// What exists only in other opsets is refused by name: silence would compute something else.
#include <gtest/gtest.h>

#include "ops/support/node_runner.h"
#include "support/diagnostics.h"

namespace burin::opset_test {
namespace {

using Integers = std::vector<int64_t>;

// The refusal's message, "" where there is none.
std::string complaint(const NodeTest& test) {
  try {
    run(test);
  } catch (const Refused& refused) {
    return refused.diagnostics.at(0).message;
  }
  return "";
}

const Argument kData = given(counting({2, 3}));
const Argument kList = fixed(ints({0}));

TEST(Opsets, AttributesOfOtherOpsetsAreRefused) {
  const std::pair<NodeTest, std::string> cases[] = {
      {{"Clip", 11, {kData}, {{"min", 0.0F}}}, "'min' does not exist at opset 11, only until 10"},
      {{"Clip", 6, {kData}, {{"consumed_inputs", Integers{0}}}},
       "'consumed_inputs' does not exist at opset 6, only until 5"},
      {{"Slice", 10, {kData, kList, kList}, {{"axes", Integers{0}}}},
       "'axes' does not exist at opset 10, only until 9"},
      {{"Pad", 11, {kData, fixed(ints({0, 0, 0, 0}))}, {{"value", 1.0F}}},
       "'value' does not exist at opset 11, only until 10"},
      {{"Squeeze", 13, {kData}, {{"axes", Integers{0}}}},
       "'axes' does not exist at opset 13, only until 12"},
      {{"Dropout", 12, {kData}, {{"ratio", 0.5F}}},
       "'ratio' does not exist at opset 12, only until 11"},
      {{"ReduceSum", 13, {kData}, {{"axes", Integers{0}}}},
       "'axes' does not exist at opset 13, only until 12"},
      {{"ReduceMax", 18, {kData}, {{"axes", Integers{0}}}},
       "'axes' does not exist at opset 18, only until 17"},
      {{"Add", 7, {kData, kData}, {{"broadcast", int64_t{1}}}},
       "'broadcast' does not exist at opset 7, only until 6"},
      {{"Shape", 13, {kData}, {{"start", int64_t{1}}}},
       "'start' does not exist at opset 13, only from 15 on"},
      {{"Reshape", 13, {kData, kList}, {{"allowzero", int64_t{1}}}},
       "'allowzero' does not exist at opset 13, only from 14 on"},
      {{"TopK", 10, {kData, kList}, {{"largest", int64_t{0}}}, 2},
       "'largest' does not exist at opset 10, only from 11 on"},
      {{"ArgMax", 11, {kData}, {{"select_last_index", int64_t{1}}}},
       "'select_last_index' does not exist at opset 11, only from 12 on"},
      {{"ScatterElements", 15, {kData, kData, kData}, {{"reduction", std::string("add")}}},
       "'reduction' does not exist at opset 15, only from 16 on"}};
  for (const auto& [test, expected] : cases)
    EXPECT_EQ(complaint(test), "attribute " + expected) << test.op;
}

TEST(Opsets, OperandsOfOtherOpsetsAreRefused) {
  const Argument bound = fixed(floats({}, {1}));
  const std::pair<NodeTest, std::string> cases[] = {
      {{"Clip", 10, {kData, bound}}, "2 inputs given, the operator has 1 at opset 10"},
      {{"Slice", 9, {kData, kList, kList}}, "3 inputs given, the operator has 1 at opset 9"},
      {{"Slice", 10, {kData}}, "input 'starts' is missing at opset 10"},
      {{"Pad", 10, {kData, kList}}, "2 inputs given, the operator has 1 at opset 10"},
      {{"Pad", 13, {kData, fixed(ints({0, 0, 0, 0})), absent(), kList}},
       "4 inputs given, the operator has 3 at opset 13"},
      {{"Squeeze", 12, {kData, kList}}, "2 inputs given, the operator has 1 at opset 12"},
      {{"Unsqueeze", 13, {kData}}, "input 'axes' is missing at opset 13"},
      {{"ReduceMean", 17, {kData, kList}}, "2 inputs given, the operator has 1 at opset 17"},
      {{"Gemm", 10, {kData, kData}}, "input 'C' is missing at opset 10"},
      {{"BatchNormalization", 14, {kData, kList, kList, kList, kList}, {}, 5},
       "5 outputs given, the operator has 3 at opset 14"}};
  for (const auto& [test, expected] : cases) EXPECT_EQ(complaint(test), expected) << test.op;
}

// The default axis of Softmax and what its rows are changed at opset 13.
TEST(Opsets, SoftmaxRowsOfOlderOpsetsAreFlattened) {
  const Argument ones = given(floats({2, 2, 2}, std::vector<double>(8, 1)));
  EXPECT_EQ(numbers_of(run({"Softmax", 12, {ones}})[0])[0], 0.25);
  EXPECT_EQ(numbers_of(run({"Softmax", 13, {ones}})[0])[0], 0.5);
}

// The type that Cast takes was a name at first.
TEST(Opsets, CastToATypeByName) {
  const NodeTest test{"Cast", 1, {given(floats({2}, {1.9, -1.9}))}, {{"to", std::string("INT64")}}};
  EXPECT_EQ(numbers_of(run(test)[0]), (std::vector<double>{1, -1}));
  NodeTest other = test;
  other.attributes = {{"to", std::string("int64")}};
  EXPECT_EQ(refusal(other), "unsupported-type");
}

// p of the Lp pools was a real number at first.
TEST(Opsets, NormsOfAnyOrder) {
  const NodeTest test{"GlobalLpPool", 1, {given(floats({1, 1, 2}, {3, 4}))}, {{"p", 1.5F}}};
  EXPECT_NEAR(numbers_of(run(test)[0])[0], 5.584, 1e-3);
  NodeTest other = test;
  other.version = 2;
  EXPECT_EQ(refusal(other), "bad-attribute");
}

}  // namespace
}  // namespace burin::opset_test
