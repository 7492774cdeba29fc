// Sizes that data decide, bounded by how they are computed: nobody has to say --dim, memory is what
// the bound asks for, and the run gives what the interpreter gives.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "runtime_min/status.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"

namespace burin::emitted_data_bounds_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;
using Integers = std::vector<int64_t>;

HostTensor whole(Integers shape, const Integers& numbers, Type type = Type::i64) {
  return make_tensor(type, std::move(shape), numbers);
}

// v [1] and mask [n] decide k [1] by `nodes`; y is of k ones, by way of memory that k decides.
std::string counted(std::vector<Message> nodes) {
  w::GraphParts parts{.nodes = std::move(nodes),
                      .initializers = {w::integers("sixteen", {16}), w::integers("one", {1}),
                                       w::integers("zero", {0}), w::integers("axis", {0})},
                      .inputs = {w::value("v", w::kInt64, {1}), w::value("mask", w::kBool, {"n"})},
                      .outputs = {Message().text(1, "y")}};
  parts.nodes.push_back(w::node("ConstantOfShape", {"k"}, {"zeros"}));
  parts.nodes.push_back(w::node("Cos", {"zeros"}, {"ones"}));
  parts.nodes.push_back(w::node("CumSum", {"ones", "axis"}, {"sums"}));
  parts.nodes.push_back(w::node("Softmax", {"sums"}, {"soft"}));
  parts.nodes.push_back(w::node("CumSum", {"soft", "axis"}, {"y"}));
  return w::model(w::graph(parts)).bytes();
}

void expect_bounded(const std::vector<Message>& nodes) {
  const EmittedProgram program(counted(nodes));
  for (const int64_t v : {0, 3, 16, 21}) {
    for (const Integers& mask : {Integers{0}, Integers{1, 0, 1, 1, 0}, Integers{0, 0, 1}}) {
      const auto n = static_cast<int64_t>(mask.size());
      program.expect_agrees({whole({1}, {v}), whole({n}, mask, Type::boolean)});
    }
  }
}

Message cast(const char* from, const char* to) {
  return w::node("Cast", {from}, {to}, {w::integer_attribute("to", w::kInt64)});
}

TEST(EmittedDataBounds, OfTheArithmeticThatDecides) {
  const std::vector<Message> cases[] = {
      {w::node("Min", {"v", "sixteen"}, {"m"}), w::node("Max", {"m", "zero"}, {"k"})},
      {w::node("Mod", {"v", "sixteen"}, {"k"})},
      {cast("mask", "flags"), w::node("ReduceSum", {"flags", "axis"}, {"k"})},
      {cast("mask", "flags"), w::node("ArgMax", {"flags"}, {"place"}),
       w::node("Add", {"place", "one"}, {"k"})},
      {w::node("Shape", {"mask"}, {"n"}), w::node("Less", {"v", "sixteen"}, {"small"}),
       w::node("Where", {"small", "n", "one"}, {"k"})},
      {w::node("Greater", {"v", "sixteen"}, {"large"}),
       w::node("Where", {"large", "sixteen", "v"}, {"k"})},
      {w::node("Cast", {"v"}, {"real"}, {w::integer_attribute("to", w::kFloat)}),
       w::node("Sigmoid", {"real"}, {"share"}),
       w::node("Cast", {"sixteen"}, {"most"}, {w::integer_attribute("to", w::kFloat)}),
       w::node("Mul", {"share", "most"}, {"part"}), cast("part", "k")},
      {cast("mask", "flags"), w::node("TopK", {"flags", "one"}, {"greatest", "place"}),
       w::node("Add", {"place", "one"}, {"k"})},
      {w::node("Not", {"mask"}, {"others"}), w::node("NonZero", {"others"}, {"places"}),
       w::node("ReduceMax", {"places"}, {"last"}, {w::integer_attribute("keepdims", 0)}),
       w::node("Reshape", {"last", "one"}, {"k"})},
      {cast("mask", "flags"), w::node("Unique", {"flags"}, {"kinds", "", "", "counts"}),
       w::node("ReduceMax", {"counts"}, {"k"})},
  };
  for (const std::vector<Message>& nodes : cases) {
    SCOPED_TRACE(&nodes - cases);
    EXPECT_NO_THROW(expect_bounded(nodes));
  }
  EXPECT_THROW(EmittedProgram(counted({w::node("Abs", {"v"}, {"k"})})), Refused);
}

// k = what a loop of n or six trips carries at its end, from 0 on.
std::vector<Message> carried(std::vector<Message> body, bool counts_mask = false) {
  body.push_back(w::node("Identity", {"go"}, {"on"}));
  const w::GraphParts parts{.nodes = std::move(body),
                            .initializers = {},
                            .inputs = {w::value("i", w::kInt64, {}), w::value("go", w::kBool, {}),
                                       w::value("at", w::kInt64, {1})},
                            .outputs = {Message().text(1, "on"), Message().text(1, "next")}};
  return {cast("mask", "flags"), w::node("Size", {"mask"}, {"n"}),
          w::node("Constant", {}, {"six"}, {w::integer_attribute("value_int", 6)}),
          w::node("Loop", {counts_mask ? "n" : "six", "", "zero"}, {"k"},
                  {w::graph_attribute("body", w::graph(parts))})};
}

// Whatever it was before, by what is added to it in all iterations, or known in each.
TEST(EmittedDataBounds, OfWhatALoopCarries) {
  expect_bounded(carried(
      {w::node("Add", {"at", "v"}, {"more"}), w::node("Min", {"more", "sixteen"}, {"next"})}));
  for (const bool counts_mask : {false, true}) {
    expect_bounded(carried({w::node("ReduceSum", {"flags", "axis"}, {"ones_here"}),
                            w::node("Add", {"at", "ones_here"}, {"next"})},
                           counts_mask));
    expect_bounded(carried({w::node("Add", {"at", "one"}, {"next"})}, counts_mask));
  }
  // In the body: a row that is as long as the position.
  std::vector<Message> body = {w::node("ConstantOfShape", {"at"}, {"zeros_so_far"}),
                               w::node("Cos", {"zeros_so_far"}, {"so_far"}),
                               w::node("CumSum", {"so_far", "axis"}, {"sums_so_far"}),
                               w::node("Softmax", {"sums_so_far"}, {"soft_so_far"}),
                               w::node("ReduceSum", {"soft_so_far", "axis"}, {"whole"}),
                               cast("whole", "about_one"),
                               w::node("Add", {"at", "v"}, {"further"}),
                               w::node("Add", {"further", "about_one"}, {"more"}),
                               w::node("Min", {"more", "sixteen"}, {"next"})};
  expect_bounded(carried(body));
  EXPECT_THROW(EmittedProgram(counted(carried({w::node("Add", {"at", "v"}, {"next"})}))), Refused);
}

// Heads are data; what they leave of 8 follows. Memory is what x takes, not its cube.
TEST(EmittedDataBounds, ShapesThatTogetherHoldWhatThereIs) {
  const w::GraphParts parts{
      .nodes = {w::node("Shape", {"x"}, {"b"},
                        {w::integer_attribute("start", 0), w::integer_attribute("end", 1)}),
                w::node("Concat", {"b", "heads", "rest"}, {"shape"},
                        {w::integer_attribute("axis", 0)}),
                w::node("Reshape", {"x", "shape"}, {"split"}),
                w::node("Softmax", {"split"}, {"soft"}, {w::integer_attribute("axis", 1)}),
                w::node("CumSum", {"soft", "one"}, {"sums"}),
                w::node("Softmax", {"sums"}, {"y"}, {w::integer_attribute("axis", -1)})},
      .initializers = {w::integers("rest", {-1}), w::integers("one", {1})},
      .inputs = {w::value("x", w::kFloat, {"b", 8}), w::value("heads", w::kInt64, {1})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"b=1..16"});
  const Dim bytes = program.plan().memory.arena_bytes;
  EXPECT_LE(bytes.evaluate([](const Index&) { return 16; }), 4 * 16 * 8 * 4) << to_string(bytes);
  std::vector<double> x;
  for (int i = 0; i < 24; ++i) x.push_back(i % 7 - 3);
  for (const int64_t heads : {1, 2, 4, 8})
    program.expect_agrees({make_tensor(Type::f32, {3, 8}, x), whole({1}, {heads})});
  for (const int64_t heads : {3, -2, 9}) {
    EXPECT_NE(program.run({make_tensor(Type::f32, {3, 8}, x), whole({1}, {heads})}).status, 0)
        << heads;
  }
}

// A grid of patches whose side is data, and channels that are what it leaves, behind which another
// shape has the sides only: still no more than there are elements.
TEST(EmittedDataBounds, SidesOfAGridAreNoSquares) {
  const w::GraphParts parts{
      .nodes = {w::node("Shape", {"x"}, {"b"},
                        {w::integer_attribute("start", 0), w::integer_attribute("end", 1)}),
                w::node("Concat", {"b", "side", "side", "rest"}, {"shape"},
                        {w::integer_attribute("axis", 0)}),
                w::node("Reshape", {"x", "shape"}, {"grid"}),
                w::node("ReduceSum", {"grid", "last"}, {"channels"},
                        {w::integer_attribute("keepdims", 0)}),
                w::node("CumSum", {"channels", "one"}, {"sums"}),
                w::node("Softmax", {"sums"}, {"y"}, {w::integer_attribute("axis", -1)})},
      .initializers = {w::integers("rest", {-1}), w::integers("one", {1}),
                       w::integers("last", {3})},
      .inputs = {w::value("x", w::kFloat, {"b", "n", 2}), w::value("side", w::kInt64, {1})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"b=1..2", "n=1..64"});
  const Dim bytes = program.plan().memory.arena_bytes;
  const auto largest = [](const Index& leaf) { return leaf.as_symbol()->max; };
  EXPECT_LE(bytes.evaluate(largest), 4 * 2 * 64 * 2 * 4) << to_string(bytes);
  for (const int64_t side : {1, 2, 3, 8}) {
    std::vector<double> x;
    for (int64_t i = 0; i < 2 * side * side * 2; ++i) x.push_back(double(i % 11) - 5);
    program.expect_agrees({make_tensor(Type::f32, {2, side * side, 2}, x), whole({1}, {side})});
    EXPECT_NE(program.run({make_tensor(Type::f32, {2, side * side, 2}, x), whole({1}, {side + 9})})
                  .status,
              0);
  }
}

// A list of pads of which one is a number and one is data, as exporters write them.
TEST(EmittedDataBounds, OneOfAListIsData) {
  const w::GraphParts parts{
      .nodes = {w::node("Mod", {"v", "five"}, {"k"}),
                w::node("Concat", {"one", "k"}, {"pads"}, {w::integer_attribute("axis", 0)}),
                w::node("Pad", {"x", "pads"}, {"padded"}),
                w::node("CumSum", {"padded", "zero"}, {"sums"}),
                w::node("Softmax", {"sums"}, {"y"})},
      .initializers = {w::integers("one", {1}), w::integers("five", {5}), w::integers("zero", {0})},
      .inputs = {w::value("x", w::kFloat, {"n"}), w::value("v", w::kInt64, {1})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"n=1..16"});
  const HostTensor x = make_tensor(Type::f32, {3}, std::vector<double>{1, 2, 3});
  for (const int64_t v : {0, 4, 5, 1003}) program.expect_agrees({x, whole({1}, {v})});
}

// Rows of y up to an end that is data, one for each element of `ends`.
w::Message body_of_rows(const std::vector<Message>& inputs, std::vector<Message> nodes,
                        const std::vector<std::string_view>& outputs) {
  nodes.push_back(w::node("Unsqueeze", {"end", "zero"}, {"ends_here"}));
  nodes.push_back(w::node("Slice", {"y", "zero", "ends_here"}, {"row"}));
  w::GraphParts parts{
      .nodes = std::move(nodes), .initializers = {}, .inputs = inputs, .outputs = {}};
  for (const std::string_view name : outputs) parts.outputs.push_back(Message().text(1, name));
  return w::graph(parts);
}

// What iterations emit has the extents of the first: else the run says so.
TEST(EmittedDataBounds, EmittedRowsAreEquallyLong) {
  const Message loop =
      w::node("Loop", {"trips", ""}, {"rows"},
              {w::graph_attribute(
                  "body", body_of_rows({w::value("i", w::kInt64, {}), w::value("go", w::kBool, {})},
                                       {w::node("Gather", {"ends", "i"}, {"end"}),
                                        w::node("Identity", {"go"}, {"on"})},
                                       {"on", "row"}))},
              "repeat");
  const Message scan = w::node(
      "Scan", {"ends"}, {"rows"},
      {w::graph_attribute("body", body_of_rows({w::value("end", w::kInt64, {})}, {}, {"row"})),
       w::integer_attribute("num_scan_inputs", 1)},
      "repeat");
  for (const Message& repeated : {loop, scan}) {
    const w::GraphParts parts{
        .nodes = {w::node("Size", {"ends"}, {"trips"}), repeated,
                  w::node("CumSum", {"rows", "axis"}, {"sums"}),
                  w::node("Add", {"sums", "sums"}, {"z"})},
        .initializers = {w::integers("zero", {0}), w::integers("axis", {1})},
        .inputs = {w::value("y", w::kFloat, {8}), w::value("ends", w::kInt64, {"n"})},
        .outputs = {Message().text(1, "z")}};
    const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"n=1..4"});
    const HostTensor y = make_tensor(Type::f32, {8}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    for (const Integers& ends : {Integers{3}, Integers{5, 5, 5}, Integers{0, 0}, Integers{9, 8}})
      program.expect_agrees({y, whole({static_cast<int64_t>(ends.size())}, ends)});
    for (const Integers& ends :
         {Integers{1, 4, 2}, Integers{4, 1}, Integers{0, 2}, Integers{2, 0}}) {
      EXPECT_EQ(program.run({y, whole({static_cast<int64_t>(ends.size())}, ends)}).status,
                burin_rt::kShapeMismatch);
    }
  }
}

// Two counts that must be equal: whichever is larger, the caller has no capacity to change.
TEST(EmittedDataBounds, CountsThatMustAgree) {
  const w::GraphParts parts{
      .nodes = {w::node("Compress", {"x", "p"}, {"a"}), w::node("Compress", {"x", "q"}, {"b"}),
                w::node("Unsqueeze", {"a", "zero"}, {"rows"}),
                w::node("Unsqueeze", {"b", "zero"}, {"more"}),
                w::node("Concat", {"rows", "more"}, {"y"}, {w::integer_attribute("axis", 0)})},
      .initializers = {w::integers("zero", {0})},
      .inputs = {w::value("x", w::kFloat, {"n"}), w::value("p", w::kBool, {"n"}),
                 w::value("q", w::kBool, {"n"})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes(), {"n=1..8"});
  const HostTensor x = make_tensor(Type::f32, {3}, std::vector<double>{1, 2, 3});
  const HostTensor one = whole({3}, {0, 1, 0}, Type::boolean),
                   two = whole({3}, {1, 0, 1}, Type::boolean);
  program.expect_agrees({x, two, two});
  EXPECT_EQ(program.run_for({x, one, two}, {{2, 3}}).status, burin_rt::kShapeMismatch);
  EXPECT_EQ(program.run_for({x, two, one}, {{2, 3}}).status, burin_rt::kShapeMismatch);
}

// Ends whose difference 64 bits do not hold with a sign, and pads whose sum they do not hold.
TEST(EmittedDataBounds, NumbersAtTheEndsOfTheirType) {
  const w::GraphParts range{
      .nodes = {w::node("Range", {"from", "to", "by"}, {"y"}, {}, "count")},
      .initializers = {},
      .inputs = {w::value("from", w::kInt64, {}), w::value("to", w::kInt64, {}),
                 w::value("by", w::kInt64, {})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram counting(w::model(w::graph(range)).bytes(), {"count_count=0..20"});
  const int64_t quarter = int64_t{1} << 62;
  const auto count = [&](int64_t from, int64_t to, int64_t by) {
    const RunOutcome out = counting.run({whole({}, {from}), whole({}, {to}), whole({}, {by})});
    return out.status == 0 ? out.outputs.at(0).elements() : -1;
  };
  EXPECT_EQ(count(-quarter - 1, quarter, quarter / 2), 5);
  EXPECT_EQ(count(quarter, -quarter - 1, -quarter / 2), 5);
  EXPECT_EQ(count(INT64_MIN, INT64_MAX, quarter), 4);
  EXPECT_EQ(count(7, 0, -2), 4);
  EXPECT_EQ(count(0, 7, -2), 0);
  EXPECT_EQ(count(0, 7, 0), -1);
  const w::GraphParts pad{
      .nodes = {w::node("Pad", {"x", "pads"}, {"y"})},
      .initializers = {},
      .inputs = {w::value("x", w::kFloat, {"n"}), w::value("pads", w::kInt64, {2})},
      .outputs = {Message().text(1, "y")}};
  const EmittedProgram padding(w::model(w::graph(pad)).bytes());
  const HostTensor x = make_tensor(Type::f32, {3}, std::vector<double>{1, 2, 3});
  EXPECT_EQ(padding.run_for({x, whole({2}, {1, 1})}, {{5}}).status, 0);
  EXPECT_NE(padding.run_for({x, whole({2}, {quarter, quarter})}, {{5}}).status, 0);
  EXPECT_NE(padding.run_for({x, whole({2}, {INT64_MAX, 1})}, {{5}}).status, 0);
}

}  // namespace
}  // namespace burin::emitted_data_bounds_test
