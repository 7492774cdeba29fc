// Sizes that are in range one by one and do not go together: a status, with nothing written outside
// of the arena before it. Memory is laid out by all sizes at once, so a tensor of less than
// nothing, late in the network, would pull earlier ones out of their places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "differential/support/onnx_case.h"
#include "report/data_set.h"
#include "runtime_min/status.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"

namespace burin::emitted_inconsistent_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;

// A softmax of x, then a window of five columns over it, which fewer columns do not have.
std::vector<Message> softmax_and_window() {
  return {w::node("Softmax", {"x"}, {"a"}), w::node("Conv", {"a", "weights"}, {"b"}),
          w::node("Softmax", {"b"}, {"c"})};
}

Message five_ones() {
  const float one = 1;
  std::string bytes;
  for (int k = 0; k < 5; ++k) bytes += std::string(reinterpret_cast<const char*>(&one), sizeof one);
  return w::raw_tensor("weights", w::kFloat, {1, 1, 5}, bytes);
}

HostTensor rows_of(int64_t rows, int64_t columns) {
  HostTensor x = make_tensor(Type::f32, {rows, 1, columns});
  for (int64_t k = 0; k < x.elements(); ++k) x.set(k, {static_cast<double>(k % 7), 0});
  return x;
}

TEST(EmittedInconsistent, AWindowWiderThanItsInput) {
  w::GraphParts parts{.nodes = softmax_and_window(),
                      .initializers = {five_ones()},
                      .inputs = {w::value("x", w::kFloat, {"n", 1, "m"})},
                      .outputs = {Message().text(1, "y")}};
  parts.nodes.push_back(w::node("Concat", {"c", "a"}, {"y"}, {w::integer_attribute("axis", 2)}));
  const EmittedProgram program(w::model(w::graph(parts)).bytes());
  program.expect_agrees({rows_of(3, 9)});
  program.expect_agrees({rows_of(100, 5)});
  for (const int64_t columns : {1, 2, 3})
    EXPECT_EQ(program.run_at({{"n", 100}, {"m", columns}}).status, burin_rt::kDimensionOutOfRange)
        << columns;
}

// The first five columns and the rest of them, as sizes that arithmetic finds: fewer than five
// leave less than nothing.
TEST(EmittedInconsistent, ARestOfLessThanNothing) {
  w::GraphParts parts{
      .nodes = {w::node("Shape", {"x"}, {"shape"}),
                w::node("Gather", {"shape", "two"}, {"columns"}),
                w::node("Sub", {"columns", "five"}, {"more"}),
                w::node("Concat", {"five", "more"}, {"sizes"}, {w::integer_attribute("axis", 0)}),
                w::node("Split", {"x", "sizes"}, {"first", "rest"},
                        {w::integer_attribute("axis", 2)}),
                w::node("Softmax", {"rest"}, {"even"}),
                w::node("Concat", {"even", "first"}, {"y"}, {w::integer_attribute("axis", 2)})},
      .initializers = {w::integers("two", {2}), w::integers("five", {5})},
      .inputs = {w::value("x", w::kFloat, {"n", 1, "m"})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes());
  program.expect_agrees({rows_of(3, 9)});
  program.expect_agrees({rows_of(2, 6)});
  for (const int64_t columns : {1, 3, 4})
    EXPECT_EQ(program.run_at({{"n", 10}, {"m", columns}}).status, burin_rt::kDimensionOutOfRange)
        << columns;
}

// The same of a list of sizes, which must not be below zero whatever an operator makes of them.
TEST(EmittedInconsistent, AListOfSizesBelowZero) {
  w::GraphParts parts{
      .nodes = {w::node("Shape", {"x"}, {"shape"}),
                w::node("Gather", {"shape", "two"}, {"columns"}),
                w::node("Gather", {"shape", "zero"}, {"rows"}),
                w::node("Sub", {"columns", "rows"}, {"more"}),
                w::node("Concat", {"one", "one", "more", "two"}, {"sizes"},
                        {w::integer_attribute("axis", 0)}),
                w::node("AffineGrid", {"theta", "sizes"}, {"grid"}),
                w::node("Softmax", {"grid"}, {"y"})},
      .initializers = {w::integers("one", {1}), w::integers("two", {2}), w::integers("zero", {0})},
      .inputs = {w::value("x", w::kFloat, {"n", 1, "m"}), w::value("theta", w::kFloat, {1, 2, 3})},
      .outputs = {Message().text(1, "y")}};
  HostTensor theta = make_tensor(Type::f32, {1, 2, 3});
  for (int64_t k = 0; k < 6; ++k) theta.set(k, {static_cast<double>(k) / 4, 0});
  const EmittedProgram program(w::model(w::graph(parts), {}, {w::opset("", 20)}, 9).bytes());
  program.expect_agrees({rows_of(3, 9), theta});
  for (const int64_t columns : {1, 3, 4}) {
    EXPECT_EQ(program.run({rows_of(5, columns), theta}).status, burin_rt::kShapeMismatch)
        << columns;
  }
}

// Shapes that the file declares of results, over numbers and over sizes of the caller: hints, and
// what a run checks where somebody asks for it.
TEST(EmittedInconsistent, AResultThatIsDeclaredOtherwise) {
  const auto joined = [](const std::vector<w::Size>& declared) {
    const w::GraphParts parts{
        .nodes = {w::node("Concat", {"x", "z"}, {"y"}, {w::integer_attribute("axis", 2)})},
        .initializers = {},
        .inputs = {w::value("x", w::kFloat, {"n", 1, "m"}),
                   w::value("z", w::kFloat, {"n", 1, "k"})},
        .outputs = {w::value("y", w::kFloat, declared)}};
    return w::model(w::graph(parts)).bytes();
  };
  const EmittedOptions strictly{.strict = true};
  const std::string ten = joined({"n", 1, 10}), as_many = joined({"m", 1, "other"});
  const EmittedProgram checked(ten, strictly), checked_size(as_many, strictly);
  checked.expect_agrees({rows_of(2, 4), rows_of(2, 6)});
  EXPECT_EQ(checked.run({rows_of(2, 8), rows_of(2, 8)}).status, burin_rt::kShapeMismatch);
  checked_size.expect_agrees({rows_of(4, 4), rows_of(4, 6)});
  EXPECT_EQ(checked_size.run({rows_of(2, 4), rows_of(2, 6)}).status, burin_rt::kShapeMismatch);
  for (const std::string& model : {ten, as_many}) {
    const EmittedProgram program(model);
    program.expect_agrees({rows_of(2, 4), rows_of(2, 6)});
    program.expect_agrees({rows_of(2, 8), rows_of(2, 8)});
  }
}

// The branch that is not taken has no say in what goes together.
TEST(EmittedInconsistent, AWindowInABranch) {
  const auto branch = [](std::vector<Message> nodes, const char* last, const char* sum) {
    nodes.push_back(w::node("ReduceSum", {last}, {sum}, {w::integer_attribute("keepdims", 0)}));
    return w::graph(
        {.nodes = nodes, .initializers = {}, .inputs = {}, .outputs = {Message().text(1, sum)}});
  };
  w::GraphParts parts{
      .nodes = {w::node(
          "If", {"wide"}, {"y"},
          {w::graph_attribute("then_branch", branch(softmax_and_window(), "c", "then_sum")),
           w::graph_attribute("else_branch", branch({w::node("Softmax", {"x"}, {"d"}),
                                                     w::node("Softmax", {"d"}, {"e"})},
                                                    "e", "else_sum"))})},
      .initializers = {five_ones()},
      .inputs = {w::value("x", w::kFloat, {"n", 1, "m"}), w::value("wide", w::kBool, {})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes());
  const auto flag = [](bool value) {
    return make_tensor(Type::boolean, {}, std::vector<int64_t>{value});
  };
  program.expect_agrees({rows_of(3, 9), flag(true)});
  program.expect_agrees({rows_of(100, 2), flag(false)});
  EXPECT_EQ(program.run({rows_of(100, 2), flag(true)}).status, burin_rt::kShapeMismatch);
}

// ONNX's models with every extent a size of its own: the sizes of a run are drawn without regard to
// each other. Any status will do; what counts is that no byte outside is touched (sanitizers,
// guards around the caller's memory).
TEST(EmittedInconsistent, SizesDrawnApartFromEachOther) {
  const char* const more = std::getenv("BURIN_INCONSISTENT_CASES");
  const std::vector<std::string> cases =
      sample(onnx_cases(), more ? static_cast<size_t>(std::atoi(more)) : 40);
  std::mt19937 random(1);
  int models = 0, good = 0, refused = 0;
  for (const std::string& folder : cases) {
    SCOPED_TRACE(folder);
    std::optional<EmittedProgram> program;
    try {
      const Graph graph = with_symbolic_extents(import_case(folder));
      if (graph.symbols.empty()) continue;
      program.emplace(graph, true);
    } catch (const Refused&) {
      continue;
    }
    ++models;
    for (int draw = 0; draw < 12; ++draw) {
      std::map<std::string, int64_t> sizes;
      for (const Symbol& symbol : program->plan().graph.symbols)
        sizes[symbol->name] = std::min<int64_t>(symbol->max, symbol->min + random() % 7);
      ++(program->run_at(sizes).status == 0 ? good : refused);
      if (testing::Test::HasFailure()) return;
    }
  }
  std::printf("%d models, %d runs were good, %d gave a status\n", models, good, refused);
  EXPECT_GT(good, models);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace burin::emitted_inconsistent_test
