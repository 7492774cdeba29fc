// Sizes that data decide inside of nested graphs: what bounds them is found there, too; and loops
// that never run.
#include <gtest/gtest.h>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_regions_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;
using Integers = std::vector<int64_t>;

HostTensor whole(Integers shape, const Integers& values, Type type = Type::i64) {
  return make_tensor(type, std::move(shape), values);
}

HostTensor real(const std::vector<double>& values) {
  return make_tensor(Type::f32, {static_cast<int64_t>(values.size())}, values);
}

Message body(std::vector<Message> nodes, const std::vector<Message>& inputs,
             const std::vector<std::string_view>& outputs, std::string name) {
  w::GraphParts parts{
      .nodes = std::move(nodes), .initializers = {}, .inputs = inputs, .outputs = {}};
  for (const std::string_view output : outputs) parts.outputs.push_back(Message().text(1, output));
  parts.name = std::move(name);
  return w::graph(parts);
}

Message choice(std::string_view condition, std::string_view to, const Message& yes,
               const Message& no) {
  return w::node("If", {std::string(condition)}, {std::string(to)},
                 {w::graph_attribute("then_branch", yes), w::graph_attribute("else_branch", no)});
}

// x [n], k [1], two flags; y is made by `node`.
std::string chosen(const Message& node) {
  const w::GraphParts parts{
      .nodes = {node},
      .initializers = {w::integers("zero", {0}), w::integers("five", {5}), w::integer("three", 3),
                       w::floats("one", {1.5F})},
      .inputs = {w::value("x", w::kFloat, {"n"}), w::value("k", w::kInt64, {1}),
                 w::value("a", w::kBool, {}), w::value("b", w::kBool, {})},
      .outputs = {Message().text(1, "y")}};
  return w::model(w::graph(parts)).bytes();
}

// As long as the remainder of k.
std::vector<Message> row(std::string_view to) {
  return {w::node("Mod", {"k", "five"}, {"length"}), w::node("Expand", {"one", "length"}, {"row"}),
          w::node("CumSum", {"row", "axis_of_row"}, {"sums_of_row"}),
          w::node("Softmax", {"sums_of_row"}, {std::string(to)})};
}

std::vector<Message> with_axis(std::vector<Message> nodes) {
  nodes.insert(nodes.begin(),
               w::node("Constant", {}, {"axis_of_row"}, {w::integer_attribute("value_int", 0)}));
  return nodes;
}

void expect_bounded(const Message& node) {
  const EmittedProgram program(chosen(node), {"n=0..8"});
  for (const int64_t k : {0, 3, 104}) {
    for (const int64_t flags : {0, 1, 2, 3}) {
      program.expect_agrees({real({1, -2, 3}), whole({1}, {k}),
                             whole({}, {flags % 2}, Type::boolean),
                             whole({}, {flags / 2}, Type::boolean)});
    }
  }
}

const std::vector<Message> kIteration = {w::value("i", w::kInt64, {}),
                                         w::value("go", w::kBool, {})};

Message inner_choice() {
  return choice("b", "u", body(with_axis(row("u2")), {}, {"u2"}, "then_inside"),
                body({w::node("Identity", {"x"}, {"w2"})}, {}, {"w2"}, "else_inside"));
}

TEST(EmittedRegions, BoundsOfBranchesInsideBranches) {
  expect_bounded(choice("a", "y", body({inner_choice()}, {}, {"u"}, "then"),
                        body({w::node("Identity", {"x"}, {"w"})}, {}, {"w"}, "else")));
}

TEST(EmittedRegions, BoundsOfWhatALoopCarriesAndEmits) {
  std::vector<Message> carries = with_axis(row("next"));
  carries.push_back(w::node("Identity", {"go"}, {"on"}));
  std::vector<Message> inputs = kIteration;
  inputs.push_back(w::value("before", w::kFloat, {"p"}));
  expect_bounded(w::node("Loop", {"three", "", "x"}, {"y"},
                         {w::graph_attribute("body", body(carries, inputs, {"on", "next"}, "b"))}));
  std::vector<Message> emits = with_axis(row("each"));
  emits.push_back(w::node("Identity", {"go"}, {"on"}));
  expect_bounded(
      w::node("Loop", {"three", ""}, {"y"},
              {w::graph_attribute("body", body(emits, kIteration, {"on", "each"}, "b"))}));
}

TEST(EmittedRegions, BoundsOfBranchesInsideALoop) {
  std::vector<Message> nodes = {inner_choice(), w::node("ReduceSum", {"u", "zero"}, {"each"}),
                                w::node("Identity", {"go"}, {"on"})};
  expect_bounded(
      w::node("Loop", {"three", ""}, {"y"},
              {w::graph_attribute("body", body(nodes, kIteration, {"on", "each"}, "b"))}));
}

// What a loop without trips emits has no rows, whoever reads it while the model is folded.
TEST(EmittedRegions, LoopsThatAreKnownNotToRun) {
  const Message same =
      body({w::node("Identity", {"go"}, {"on"}), w::node("Neg", {"one"}, {"each"})}, kIteration,
           {"on", "each"}, "b");
  for (const int64_t trips : {0, -2}) {
    const w::GraphParts parts{
        .nodes = {w::node("Loop", {"trips", "x_starts"}, {"rows"},
                          {w::graph_attribute("body", same)}),
                  w::node("Neg", {"rows"}, {"y"}), w::node("Abs", {"x"}, {"z"})},
        .initializers = {w::integer("trips", trips), w::floats("one", {1.5F})},
        .inputs = {w::value("x", w::kFloat, {"n"}), w::value("x_starts", w::kBool, {})},
        .outputs = {Message().text(1, "y"), Message().text(1, "z")}};
    const EmittedProgram program(w::model(w::graph(parts)).bytes());
    const RunOutcome outcome = program.run({real({1, -2}), whole({}, {1}, Type::boolean)});
    ASSERT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.outputs.at(0).shape, (Integers{0, 1}));
  }
  // Its condition is false from the start, and it has no number of trips.
  const w::GraphParts parts{
      .nodes = {w::node("Loop", {"", "never"}, {"rows"}, {w::graph_attribute("body", same)}),
                w::node("Neg", {"x"}, {"y"})},
      .initializers = {w::raw_tensor("never", w::kBool, {}, std::string(1, '\0')),
                       w::floats("one", {1.5F})},
      .inputs = {w::value("x", w::kFloat, {"n"})},
      .outputs = {Message().text(1, "rows"), Message().text(1, "y")}};
  const RunOutcome outcome = EmittedProgram(w::model(w::graph(parts)).bytes()).run({real({1, -2})});
  ASSERT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.outputs.at(0).shape, (Integers{0, 1}));
}

// Groups of as many as the data say, what is over left out: of less than a group there is none.
TEST(EmittedRegions, GroupsOfNothing) {
  const w::GraphParts parts{
      .nodes = {w::node("Max", {"k", "one"}, {"some"}),
                w::node("Min", {"some", "three"}, {"group"}), w::node("Shape", {"x"}, {"n"}),
                w::node("Div", {"n", "group"}, {"groups"}),
                w::node("Mul", {"groups", "group"}, {"end"}),
                w::node("Slice", {"x", "zero", "end", "zero"}, {"whole"}),
                w::node("Concat", {"rest", "group"}, {"shape"}, {w::integer_attribute("axis", 0)}),
                w::node("Reshape", {"whole", "shape"}, {"y"})},
      .initializers = {w::integers("zero", {0}), w::integers("one", {1}), w::integers("three", {3}),
                       w::integers("rest", {-1})},
      .inputs = {w::value("x", w::kFloat, {"n"}), w::value("k", w::kInt64, {1})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"n=1..8"});
  for (const int64_t n : {1, 2, 5, 8}) {
    for (const int64_t k : {-7, 2, 3, 50}) {
      std::vector<double> x;
      for (int64_t i = 0; i < n; ++i) x.push_back(double(i) - 2);
      program.expect_agrees({real(x), whole({1}, {k})});
    }
  }
}

// A reshape shares its loop among threads, until it turns out to be a view.
TEST(EmittedRegions, ViewsHaveNoThreads) {
  const w::GraphParts parts{
      .nodes = {w::node("Reshape", {"x", "rest"}, {"row"}), w::node("NonZero", {"row"}, {"y"})},
      .initializers = {w::integers("rest", {-1})},
      .inputs = {w::value("x", w::kFloat, {"n", "m"})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(
      w::model(w::graph(parts)).bytes(),
      EmittedOptions{.dims = {"n=1..8", "m=1..8"}, .hardware = "x86-64-v3"});
  program.expect_agrees({make_tensor(Type::f32, {2, 3}, std::vector<double>{1, 0, 2, 0, 0, 3})});
}

}  // namespace
}  // namespace burin::emitted_regions_test
