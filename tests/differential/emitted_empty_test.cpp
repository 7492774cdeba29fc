// Sizes that are 0 when the network runs: emitted code under AddressSanitizer and
// UndefinedBehaviorSanitizer gives what the interpreter gives, and touches nothing.
#include <gtest/gtest.h>

#include "differential/support/emitted_run.h"
#include "runtime_min/status.h"
#include "support/onnx_writer.h"

namespace burin::emitted_empty_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;
using Integers = std::vector<int64_t>;

// A graph that grows a node at a time; every result is an output of the model.
class Model {
 public:
  void input(const std::string& name, int element, const std::vector<w::Size>& shape) {
    parts_.inputs.push_back(w::value(name, element, shape));
  }
  void constant(const std::string& name, const Integers& numbers) {
    parts_.initializers.push_back(w::integers(name, numbers));
  }
  void constant(const std::string& name, const Integers& shape, const std::vector<float>& numbers) {
    std::string bytes(numbers.size() * 4, '\0');
    if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    parts_.initializers.push_back(w::raw_tensor(name, w::kFloat, shape, bytes));
  }
  void node(const std::string& op, const w::Names& inputs, const w::Names& outputs,
            const std::vector<Message>& attributes = {}) {
    parts_.nodes.push_back(w::node(op, inputs, outputs, attributes, outputs[0]));
  }
  // A node with one result that the model gives.
  void result(const std::string& op, const w::Names& inputs,
              const std::vector<Message>& attributes = {}, const std::string& name = "") {
    const std::string to = name.empty() ? op + std::to_string(parts_.nodes.size()) : name;
    node(op, inputs, {to}, attributes);
    output(to);
  }
  void output(const std::string& name) { parts_.outputs.push_back(Message().text(1, name)); }
  std::string bytes(int64_t opset = 18) const {
    return w::model(w::graph(parts_), {}, {w::opset("", opset)}).bytes();
  }

 private:
  w::GraphParts parts_;
};

Message ints(const std::string& name, const Integers& values) {
  Message m = w::attribute(name, w::kIntegers);
  for (const int64_t value : values) m.integer(8, value);
  return m;
}
Message number(const std::string& name, int64_t value) { return w::integer_attribute(name, value); }
Message text(const std::string& name, const std::string& value) {
  return w::attribute(name, w::kText).text(4, value);
}

HostTensor real(Integers shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::vector<double> numbers;
  for (int64_t k = 0; k < count; ++k) numbers.push_back(static_cast<double>(k * 7 % 11) - 4);
  return make_tensor(Type::f32, std::move(shape), numbers);
}
HostTensor whole(Integers shape, const Integers& numbers) {
  return make_tensor(Type::i64, std::move(shape), numbers);
}

// x[n, 4] with n from 0 on.
void expect_with_no_rows(const Model& model) {
  const EmittedProgram program(model.bytes(), {"n=0..8"});
  for (const int64_t n : {0, 1, 3}) {
    SCOPED_TRACE("n = " + std::to_string(n));
    program.expect_agrees({real({n, 4})});
  }
}

TEST(EmittedEmpty, Reductions) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.constant("first", {0});
  model.constant("both", Integers{0, 1});
  for (const char* op : {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean",
                         "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"}) {
    model.result(op, {"x", "first"});
    model.result(op, {"x", "both"}, {number("keepdims", 0)});
  }
  for (const int64_t axis : {0, 1}) {
    for (const char* op : {"Softmax", "LogSoftmax", "Hardmax"})
      model.result(op, {"x"}, {number("axis", axis)});
  }
  model.result("ArgMax", {"x"}, {number("axis", 1)});
  model.constant("ones", Integers{4}, {1, 1, 1, 1});
  model.result("LayerNormalization", {"x", "ones"});
  model.constant("axis0", {0});
  model.result("CumSum", {"x", "axis0"});
  model.result("CumSum", {"x", "axis0"}, {number("reverse", 1), number("exclusive", 1)});
  expect_with_no_rows(model);
}

// Sizes that are 0 while generating: what the steps keep has no bytes.
TEST(EmittedEmpty, ARecurrenceOfNoColumns) {
  Model model;
  model.input("x", w::kFloat, {7, 3});
  model.constant("begin", {2});
  model.constant("end", {1});
  model.constant("axis", {1});
  model.constant("axis0", {0});
  model.node("Slice", {"x", "begin", "end", "axis"}, {"none"});
  model.result("CumSum", {"none", "axis0"});
  model.result("CumSum", {"none", "axis0"}, {number("reverse", 1), number("exclusive", 1)});
  model.result("CumSum", {"x", "axis0"});
  const EmittedProgram program(model.bytes());
  program.expect_agrees({real({7, 3})});
}

TEST(EmittedEmpty, Products) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.constant("w", Integers{4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  model.node("Transpose", {"x"}, {"t"});
  model.result("MatMul", {"t", "x"});  // sums of nothing
  model.result("MatMul", {"x", "w"});
  model.result("MatMul", {"x", "t"});
  model.result("Gemm", {"x", "x"}, {number("transA", 1)});
  model.result("Gemm", {"x", "w"});
  model.result("Einsum", {"x", "x"}, {text("equation", "ij,ik->jk")});
  model.result("Einsum", {"x"}, {text("equation", "ij->")});
  model.constant("shape", {-1, 1, 2, 2});
  model.constant("filter", Integers{3, 1, 2, 2}, std::vector<float>(12, 0.5F));
  model.constant("again", Integers{1, 3, 2, 2}, std::vector<float>(12, 0.25F));
  model.node("Reshape", {"x", "shape"}, {"image"});
  model.result("Conv", {"image", "filter"}, {ints("pads", {1, 1, 1, 1})});
  model.result("ConvTranspose", {"image", "again"}, {ints("strides", {2, 2})});
  model.result("MaxPool", {"image"}, {ints("kernel_shape", {2, 2}), ints("pads", {1, 1, 0, 0})});
  model.result("AveragePool", {"image"}, {ints("kernel_shape", {2, 2})});
  model.result("GlobalAveragePool", {"image"});
  expect_with_no_rows(model);
}

TEST(EmittedEmpty, Movement) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.constant("some", Integers{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  model.constant("pads", Integers{1, 0, 1, 2});
  model.constant("pairs", {-1, 2});
  model.constant("repeats", {2, 1});
  model.constant("one", {1});
  model.constant("zero", {0});
  model.constant("two", {2});
  model.constant("minus", {-1});
  model.constant("wide", {3, 1, 1});
  model.constant("sizes", {2, 8});
  model.result("Concat", {"x", "some", "x"}, {number("axis", 0)});
  model.node("Split", {"x"}, {"a", "b"}, {number("axis", 0), number("num_outputs", 2)});
  model.output("a");
  model.output("b");
  model.result("Pad", {"x", "pads"});
  model.result("Reshape", {"x", "pairs"});
  model.result("Flatten", {"x"});
  model.result("Tile", {"x", "repeats"});
  model.result("Expand", {"x", "wide"});
  model.result("Slice", {"x", "one", "minus", "zero"});
  model.result("Slice", {"x", "minus", "zero", "zero", "minus"});
  model.result("Unsqueeze", {"x", "one"});
  model.result("Trilu", {"x"});
  model.result("Shape", {"x"});
  model.result("Where", {"less", "x", "x"});
  model.node("Less", {"x", "x"}, {"less"});
  model.result("TopK", {"x", "zero"}, {}, "none");
  model.constant("factors", Integers{2}, {2, 2});
  model.result("Resize", {"x", "", "factors"});
  model.result("Resize", {"x", "", "factors"}, {text("mode", "linear")});
  expect_with_no_rows(model);
}

TEST(EmittedEmpty, Indices) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.input("i", w::kInt64, {"m"});
  model.constant("shape", {-1, 1});
  model.constant("some", Integers{3, 4}, std::vector<float>(12, 2));
  model.constant("values", Integers{2}, {0, 1});
  model.constant("depth", {5});
  model.node("Unsqueeze", {"i", "last"}, {"point"});
  model.constant("last", {1});
  model.constant("columns", {1, 4});
  model.node("Expand", {"point", "columns"}, {"each"});
  model.node("Gather", {"some", "i"}, {"updates"});
  model.output("updates");
  model.result("Gather", {"x", "i"});
  model.result("GatherND", {"x", "point"});
  model.result("GatherElements", {"x", "each"});
  model.result("ScatterND", {"x", "point", "updates"});
  model.result("ScatterElements", {"x", "each", "updates"});
  model.result("OneHot", {"i", "depth", "values"});
  const EmittedProgram program(model.bytes(), {"n=0..8", "m=0..8"});
  program.expect_agrees({real({3, 4}), whole({0}, {})});
  program.expect_agrees({real({0, 4}), whole({0}, {})});
  program.expect_agrees({real({3, 4}), whole({2}, {-1, 1})});
  // There is nothing that an index could name.
  const RunOutcome outcome = program.run({real({0, 4}), whole({2}, {-1, 1})});
  EXPECT_EQ(outcome.status, burin_rt::kShapeMismatch) << outcome.explained;
  EXPECT_EQ(program.expected({real({0, 4}), whole({2}, {-1, 1})}).status, kRunCheckFailed);
}

TEST(EmittedEmpty, DataSized) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.constant("zero", Integers{}, std::vector<float>{0});
  model.node("Greater", {"x", "zero"}, {"positive"});
  model.result("NonZero", {"positive"});
  model.constant("column", {0});
  model.result("Compress", {"x", "rows"}, {number("axis", 0)});
  model.node("ReduceMax", {"x", "axes"}, {"largest"}, {number("keepdims", 0)});
  model.constant("axes", {1});
  model.node("Greater", {"largest", "zero"}, {"rows"});
  model.result("Unique", {"x"});
  model.node("NonZero", {"rows"}, {"picked"});
  model.constant("flat", {-1});
  model.node("Reshape", {"picked", "flat"}, {"list"});
  model.result("Gather", {"x", "list"}, {number("axis", 0)});
  expect_with_no_rows(model);
}

TEST(EmittedEmpty, Recurrence) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.node("Shape", {"x"}, {"shape"});
  model.constant("zero", {0});
  model.node("Gather", {"shape", "zero"}, {"rows"});
  model.constant("start", Integers{4}, {1, 2, 3, 4});
  w::GraphParts body{
      .nodes = {w::node("Add", {"s", "s"}, {"s2"}), w::node("Identity", {"go"}, {"go2"}),
                w::node("Neg", {"s"}, {"each"})},
      .initializers = {},
      .inputs = {w::value("i", w::kInt64, {}), w::value("go", w::kBool, {}),
                 w::value("s", w::kFloat, {4})},
      .outputs = {w::value("go2", w::kBool, {}), w::value("s2", w::kFloat, {4}),
                  w::value("each", w::kFloat, {4})}};
  model.node("Loop", {"rows", "", "start"}, {"last", "all"},
             {w::graph_attribute("body", w::graph(body))});
  model.output("last");
  model.output("all");
  w::GraphParts scan{
      .nodes = {w::node("Add", {"c", "row"}, {"c2"}), w::node("Neg", {"c2"}, {"negated"})},
      .initializers = {},
      .inputs = {w::value("c", w::kFloat, {4}), w::value("row", w::kFloat, {4})},
      .outputs = {w::value("c2", w::kFloat, {4}), w::value("negated", w::kFloat, {4})}};
  scan.name = "scan";
  model.node("Scan", {"start", "x"}, {"sum", "sums"},
             {w::graph_attribute("body", w::graph(scan)), number("num_scan_inputs", 1)});
  model.output("sum");
  model.output("sums");
  expect_with_no_rows(model);
}

// Of no steps the last state is the one before the first.
TEST(EmittedEmpty, RecurrentNetworkWithoutSteps) {
  Model model;
  model.input("x", w::kFloat, {"n", 4});
  model.constant("one", {1});
  model.node("Unsqueeze", {"x", "one"}, {"steps"});
  model.constant("w", Integers{1, 8, 4}, std::vector<float>(32, 0.1F));
  model.constant("r", Integers{1, 8, 2}, std::vector<float>(16, 0.1F));
  model.node("LSTM", {"steps", "w", "r"}, {"y", "h"}, {number("hidden_size", 2)});
  model.output("y");
  model.output("h");
  expect_with_no_rows(model);
}

}  // namespace
}  // namespace burin::emitted_empty_test
