// Products of bf16 as emitted code: by a unit for matrices and by dot products, of weights and of
// two tensors that arrive. Where this machine has no such unit, the plain arithmetic that stands in
// for it is what runs; Arm's instructions are the emulator's. Numbers are of a few bits, so that
// sums are exact: all elements are equal.
#include <gtest/gtest.h>

#include "differential/support/amx_flags.h"
#include "differential/support/drawn_bytes.h"
#include "differential/support/emitted_run.h"
#include "support/numbers.h"
#include "support/onnx_writer.h"

namespace burin::emitted_bf16_test {
namespace {

namespace w = onnx_writer;

HostTensor drawn(const std::vector<int64_t>& shape, uint64_t seed) {
  Numbers numbers(seed);
  HostTensor out = make_tensor(Type::bf16, shape);
  for (int64_t i = 0; i < out.elements(); ++i)
    out.set(i, {static_cast<double>(static_cast<int>(numbers.below(33)) - 16) / 4, 0});
  return out;
}

class EmittedBf16 : public testing::TestWithParam<std::string> {
 protected:
  // One product, and so many other kernels.
  EmittedProgram program(const w::GraphParts& parts, std::vector<std::string> dims = {},
                         size_t others = 0) const {
    EmittedOptions options{.dims = std::move(dims),
                           .hardware = GetParam().c_str(),
                           .sanitize = GetParam().starts_with("x86"),
                           .threads = 3};
    if (GetParam().starts_with("x86")) options.flags = amx_flags();
    EmittedProgram out(w::model(w::graph(parts)).bytes(), options);
    size_t products = 0;
    for (const auto& [step, schedule] : out.plan().kernels)
      products += schedule.reason.find(GetParam().starts_with("x86") ? "add_matrix_" : "bfdot_") !=
                  std::string::npos;
    EXPECT_EQ(products, 1U);
    EXPECT_EQ(out.plan().kernels.size(), products + others);
    return out;
  }
};

TEST_P(EmittedBf16, Convolutions) {
  struct Layer {
    int64_t channels, filters, taps, stride, margin, size;
  };
  for (const Layer& one :
       {Layer{64, 70, 3, 1, 1, 13}, Layer{96, 40, 1, 1, 0, 19}, Layer{32, 33, 3, 2, 1, 31}}) {
    w::GraphParts parts;
    const std::vector<int64_t> of_weights{one.filters, one.channels, one.taps, one.taps};
    parts.inputs = {w::value("x", w::kBfloat16, {2, one.channels, one.size, one.size + 2})};
    parts.initializers = {
        w::raw_tensor("w", w::kBfloat16, of_weights, raw_bytes(drawn(of_weights, 3)))};
    parts.nodes = {
        w::node("Conv", {"x", "w"}, {"y"},
                {w::integers_attribute("strides", {one.stride, one.stride}),
                 w::integers_attribute("pads", {one.margin, one.margin, one.margin, one.margin})})};
    parts.outputs = {w::Message().text(1, "y")};
    program(parts).expect_agrees({drawn({2, one.channels, one.size, one.size + 2}, 5)});
  }
}

TEST_P(EmittedBf16, ProductsOfTheRun) {
  for (const bool constant : {true, false}) {
    w::GraphParts parts;
    parts.inputs = {w::value("x", w::kBfloat16, {"rows", 131})};
    if (constant) {
      parts.initializers = {
          w::raw_tensor("w", w::kBfloat16, {131, 72}, raw_bytes(drawn({131, 72}, 2)))};
    } else {
      parts.inputs.push_back(w::value("w", w::kBfloat16, {131, 72}));
    }
    parts.nodes = {w::node("MatMul", {"x", "w"}, {"t"}), w::node("Relu", {"t"}, {"y"})};
    parts.outputs = {w::Message().text(1, "y")};
    const EmittedProgram made = program(parts, {"rows=1..90@64"});
    for (const int64_t rows : {1, 16, 33, 90}) {
      std::vector<HostTensor> inputs{drawn({rows, 131}, 6)};
      if (!constant) inputs.push_back(drawn({131, 72}, 7));
      made.expect_agrees(inputs);
    }
  }
}

// What makes a factor would be computed in floats on its way, rows behind a product be gone through
// again: both stay kernels of their own, what follows each sum does not.
TEST_P(EmittedBf16, WhatIsAroundAProduct) {
  w::GraphParts parts;
  parts.inputs = {w::value("x", w::kBfloat16, {40, 64})};
  parts.initializers = {w::raw_tensor("half", w::kBfloat16, {}, std::string("\x00\x3f", 2)),
                        w::raw_tensor("w", w::kBfloat16, {64, 48}, raw_bytes(drawn({64, 48}, 2)))};
  parts.nodes = {w::node("Mul", {"x", "half"}, {"s"}), w::node("MatMul", {"s", "w"}, {"t"}),
                 w::node("Relu", {"t"}, {"u"}),
                 w::node("ReduceMax", {"u"}, {"y"}, {w::integer_attribute("keepdims", 0)})};
  parts.outputs = {w::Message().text(1, "y")};
  program(parts, {}, 2).expect_agrees({drawn({40, 64}, 4)});
}

INSTANTIATE_TEST_SUITE_P(Descriptions, EmittedBf16, testing::Values("x86-64-v4-amx", "armv8-i8mm"));

}  // namespace
}  // namespace burin::emitted_bf16_test
