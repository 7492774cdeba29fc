// Declared dimensions inside of loops: hints that give way to what the graph says, and assumptions
// that the run checks where a bound was found with them.
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/onnx_writer.h"

namespace burin::declared_in_loops_test {
namespace {

using namespace onnx_writer;  // NOLINT

Message open(const char* name) { return Message().text(1, name); }

Message integer_constant(const char* name, int64_t number) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(number >> (8 * i));
  return raw_tensor(name, kInt64, {}, bytes);
}

// start[4] gets four longer in each of three iterations; the body says that it is `said` then.
Lowered growing(const Message& said) {
  const Message body =
      graph({.nodes = {node("Concat", {"t", "x"}, {"o"}, {integer_attribute("axis", 0)}),
                       node("Identity", {"c"}, {"goes"})},
             .initializers = {},
             .inputs = {value("i", kInt64, {}), value("c", kBool, {}), open("t")},
             .outputs = {open("goes"), said}});
  const GraphParts parts = {
      .nodes = {node("Loop", {"trips", "", "start"}, {"y"}, {graph_attribute("body", body)})},
      .initializers = {integer_constant("trips", 3)},
      .inputs = {value("start", kFloat, {4}), value("x", kFloat, {4})},
      .outputs = {open("y")}};
  return lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), {});
}

RunResult run_of(const Lowered& lowered) {
  const HostTensor four = make_tensor(Type::f32, {4}, std::vector<double>{1, 2, 3, 4});
  return interpret(lowered.graph, {four, four}, {});
}

TEST(DeclaredInLoops, WhatCannotBeGivesWay) {
  const Lowered lowered = growing(value("o", kFloat, {4}));
  ASSERT_EQ(lowered.notes.size(), 1U);
  EXPECT_NE(to_warning(lowered.notes[0]).find("output 'o' is declared [4], the operator gives"),
            std::string::npos)
      << to_warning(lowered.notes[0]);
  const RunResult result = run_of(lowered);
  ASSERT_EQ(result.status, kRunOk) << result.message;
  EXPECT_EQ(result.outputs[0].shape, std::vector<int64_t>({16}));
}

// As long as no bound is known, the word of the file is one; then it is checked, whatever else is
// known behind it.
TEST(DeclaredInLoops, WhatABoundWasFoundWithIsChecked) {
  for (const int64_t said : {8, 12}) {
    const RunResult result = run_of(growing(value("o", kFloat, {said})));
    EXPECT_NE(result.status, kRunOk);
    EXPECT_NE(result.message.find("declared dimension 0 of 'o'"), std::string::npos)
        << result.message;
    EXPECT_EQ(result.beyond, "");
  }
}

// 0 .. limit - 1, of which nothing bounds how many there are, as the graph `inside` uses it; the
// result is declared.
Lowered ranges(const Message& around, const Size& declared_last, bool stacked) {
  std::vector<Size> shape = {declared_last};
  if (stacked) shape.insert(shape.begin(), 3);
  const GraphParts parts = {
      .nodes = {around},
      .initializers = {integer_constant("trips", 3), integer_constant("nought", 0),
                       integer_constant("one", 1)},
      .inputs = {value("limit", kInt64, {}), value("c", kBool, {}), value("x", kFloat, {3})},
      .outputs = {value("y", kInt64, shape)}};
  return lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), {});
}

Message range(const char* to) { return node("Range", {"nought", "limit", "one"}, {to}); }

// An If of which both branches make a range, or the first one more.
Message branches() {
  const auto branch = [](std::vector<Message> nodes, const char* result) {
    return graph({.nodes = std::move(nodes),
                  .initializers = {},
                  .inputs = {},
                  .outputs = {Message().text(1, result)}});
  };
  return node(
      "If", {"c"}, {"y"},
      {graph_attribute("then_branch", branch({range("a"), node("Concat", {"a", "a"}, {"aa"},
                                                               {integer_attribute("axis", 0)})},
                                             "aa")),
       graph_attribute("else_branch", branch({range("b")}, "b"))});
}

Message loop() {
  const Message body = graph(
      {.nodes = {range("r"), node("Identity", {"r"}, {"e"}), node("Identity", {"g"}, {"goes"})},
       .initializers = {},
       .inputs = {value("i", kInt64, {}), value("g", kBool, {})},
       .outputs = {open("goes"), open("e")}});
  return node("Loop", {"trips", ""}, {"y"}, {graph_attribute("body", body)});
}

Message scan() {
  const Message body = graph({.nodes = {range("r"), node("Identity", {"r"}, {"e"})},
                              .initializers = {},
                              .inputs = {value("s", kFloat, {})},
                              .outputs = {open("e")}});
  return node("Scan", {"x"}, {"y"},
              {graph_attribute("body", body), integer_attribute("num_scan_inputs", 1)});
}

RunResult run_of(const Lowered& lowered, int64_t limit, bool flag) {
  HostTensor number = make_tensor(Type::i64, {}), c = make_tensor(Type::boolean, {});
  number.set(0, {static_cast<double>(limit), limit});
  c.set(0, {0, flag ? 1 : 0});
  return interpret(lowered.graph, {number, c, make_tensor(Type::f32, {3})}, {});
}

// Before anything is written into a tensor of declared extents, they are checked: also of no
// extent.
TEST(DeclaredInLoops, NothingIsWrittenBeyondThem) {
  for (const int64_t said : {4, 0}) {
    const Lowered either = ranges(branches(), said, false);
    for (int64_t limit = 0; limit <= 6; ++limit) {
      for (const bool flag : {false, true}) {
        const RunResult result = run_of(either, limit, flag);
        EXPECT_EQ(result.status == kRunOk, (flag ? 2 * limit : limit) == said)
            << result.message << limit << flag;
      }
      for (const Message& around : {loop(), scan()}) {
        const RunResult result = run_of(ranges(around, said, true), limit, false);
        EXPECT_EQ(result.status == kRunOk, limit == said) << result.message << limit;
      }
    }
  }
}

}  // namespace
}  // namespace burin::declared_in_loops_test
