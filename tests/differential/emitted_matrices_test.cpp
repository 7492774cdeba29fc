// Products of bytes by a unit for matrices as emitted code: layers that repay one, threads and all.
// Where this machine has no such unit, the plain arithmetic that stands in for it is what runs. All
// elements are equal; there is no tolerance.
#include <gtest/gtest.h>

#include "differential/support/amx_flags.h"
#include "differential/support/drawn_bytes.h"
#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_matrices_test {
namespace {

namespace w = onnx_writer;

constexpr const char* kDescription = "x86-64-v4-amx";

EmittedOptions options(std::vector<std::string> dims = {}) {
  return {.dims = std::move(dims), .hardware = kDescription, .flags = amx_flags(), .threads = 3};
}

std::string raw_number(double number) {
  return raw_bytes(make_tensor(Type::f32, std::vector<int64_t>{1}, std::vector<double>{number}));
}

void expect_matrices(const EmittedProgram& program) {
  bool found = false;
  for (const auto& [step, schedule] : program.plan().kernels)
    found = found || schedule.reason.find("add_matrix_") != std::string::npos;
  EXPECT_TRUE(found);
}

// Strides, margins, channels that fill no step, filters that fill no tile.
TEST(EmittedMatrices, Convolutions) {
  struct Layer {
    int64_t channels, filters, taps, stride, margin, size;
    Type type;
  };
  const Layer all[] = {{64, 70, 3, 1, 1, 17, Type::u8},
                       {96, 64, 1, 1, 0, 19, Type::i8},
                       {72, 33, 3, 2, 1, 31, Type::u8}};
  for (const Layer& one : all) {
    const int element = one.type == Type::u8 ? w::kUint8 : w::kInt8;
    w::GraphParts parts;
    parts.inputs = {w::value("x", element, {1, one.channels, one.size, one.size + 2}),
                    w::value("zero", element, {})};
    const std::vector<int64_t> of_weights{one.filters, one.channels, one.taps, one.taps};
    parts.initializers = {
        w::raw_tensor("w", w::kInt8, of_weights, raw_bytes(drawn_bytes(Type::i8, of_weights, 3)))};
    parts.nodes = {
        w::node("ConvInteger", {"x", "w", "zero"}, {"y"},
                {w::integers_attribute("strides", {one.stride, one.stride}),
                 w::integers_attribute("pads", {one.margin, one.margin, one.margin, one.margin})})};
    parts.outputs = {w::Message().text(1, "y")};
    const EmittedProgram program(w::model(w::graph(parts)).bytes(), options());
    expect_matrices(program);
    program.expect_agrees({drawn_bytes(one.type, {1, one.channels, one.size, one.size + 2}, 5),
                           drawn_bytes(one.type, {}, 8)});
  }
}

// Rows of the caller times weights, and of two tensors that arrive; what follows makes bytes.
TEST(EmittedMatrices, ProductsOfTheRun) {
  for (const bool constant : {true, false}) {
    w::GraphParts parts;
    parts.inputs = {w::value("x", w::kUint8, {"rows", 256})};
    if (constant) {
      parts.initializers = {w::raw_tensor("w", w::kInt8, {256, 136},
                                          raw_bytes(drawn_bytes(Type::i8, {256, 136}, 2)))};
    } else {
      parts.inputs.push_back(w::value("w", w::kInt8, {256, 136}));
    }
    for (const auto& [name, number] : {std::pair{"xs", 0.02}, {"ws", 0.01}, {"ys", 0.9}})
      parts.initializers.push_back(w::raw_tensor(name, w::kFloat, {}, raw_number(number)));
    parts.initializers.push_back(w::raw_tensor("z", w::kUint8, {}, std::string(1, 77)));
    parts.initializers.push_back(w::raw_tensor("wz", w::kInt8, {}, std::string(1, 0)));
    parts.nodes = {w::node("QLinearMatMul", {"x", "xs", "z", "w", "ws", "wz", "ys", "z"}, {"y"})};
    parts.outputs = {w::Message().text(1, "y")};
    const EmittedProgram program(w::model(w::graph(parts)).bytes(), options({"rows=1..90@64"}));
    expect_matrices(program);
    for (const int64_t rows : {1, 16, 33, 90}) {
      std::vector<HostTensor> inputs{drawn_bytes(Type::u8, {rows, 256}, 6)};
      if (!constant) inputs.push_back(drawn_bytes(Type::i8, {256, 136}, 7));
      program.expect_agrees(inputs);
    }
  }
}

}  // namespace
}  // namespace burin::emitted_matrices_test
