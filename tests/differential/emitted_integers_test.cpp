// Products of 8-bit integers as emitted code: convolutions and matrix products with zero points
// that are constants or arrive, on every description with instructions for them that this machine
// runs, itself or by an emulator. All elements are equal; there is no tolerance.
#include <gtest/gtest.h>

#include "differential/support/drawn_bytes.h"
#include "differential/support/emitted_run.h"
#include "support/machine_flags.h"
#include "support/onnx_writer.h"

namespace burin::emitted_integers_test {
namespace {

namespace w = onnx_writer;

std::vector<std::string> machines() {
  std::vector<std::string> out{"x86-64-v3",   "armv8-neoverse-n1", "armv8-i8mm",
                               "hexagon-v66", "hexagon-v66-pairs", "hexagon-v68",
                               "hexagon-v69", "hexagon-v73",       "cpp-generic"};
  if (machine_has("avx512_vnni")) out.push_back("x86-64-v4-vnni");
  return out;
}

struct Convolution {
  int64_t channels, filters, groups, taps, stride, margin, size;
  Type type;
};

class EmittedIntegers : public testing::TestWithParam<std::string> {
 protected:
  // Threads share whatever may be shared. Sanitizers are there for this machine's own code.
  EmittedOptions options(std::vector<std::string> dims = {}) const {
    return {.dims = std::move(dims),
            .hardware = GetParam().c_str(),
            .sanitize = GetParam().starts_with("x86"),
            .threads = 3};
  }
};

TEST_P(EmittedIntegers, Convolutions) {
  const Convolution all[] = {
      {3, 8, 1, 3, 1, 1, 19, Type::u8},    {8, 20, 1, 1, 1, 0, 14, Type::i8},
      {6, 9, 1, 3, 2, 1, 21, Type::u8},    {24, 24, 24, 3, 1, 1, 15, Type::u8},
      {24, 24, 24, 5, 2, 2, 17, Type::i8}, {4, 12, 2, 7, 2, 3, 23, Type::u8}};
  for (const Convolution& one : all) {
    const int element = one.type == Type::u8 ? w::kUint8 : w::kInt8;
    const int64_t of_group = one.channels / one.groups;
    w::GraphParts parts;
    parts.inputs = {w::value("x", element, {2, one.channels, one.size, one.size + 2}),
                    w::value("zero", element, {})};
    parts.initializers = {w::raw_tensor(
        "w", w::kInt8, {one.filters, of_group, one.taps, one.taps},
        raw_bytes(drawn_bytes(Type::i8, {one.filters, of_group, one.taps, one.taps}, 3)))};
    parts.nodes = {
        w::node("ConvInteger", {"x", "w", "zero"}, {"y"},
                {w::integer_attribute("group", one.groups),
                 w::integers_attribute("strides", {one.stride, one.stride}),
                 w::integers_attribute("pads", {one.margin, one.margin, one.margin, one.margin})})};
    parts.outputs = {w::Message().text(1, "y")};
    const EmittedProgram program(w::model(w::graph(parts)).bytes(), options());
    program.expect_agrees({drawn_bytes(one.type, {2, one.channels, one.size, one.size + 2}, 5),
                           drawn_bytes(one.type, {}, 8)});
  }
}

HostTensor reals(const std::vector<double>& numbers) {
  return make_tensor(Type::f32, {static_cast<int64_t>(numbers.size())}, numbers);
}

// Bytes of sums: as floats say, or as lines where the machine has them, which float forms have to
// follow; scales of powers of two have many sums right between two bytes.
TEST_P(EmittedIntegers, QuantisedConvolutions) {
  const Convolution all[] = {{8, 12, 1, 1, 1, 0, 16, Type::u8},
                             {8, 10, 1, 3, 1, 1, 15, Type::u8},
                             {16, 16, 16, 3, 1, 1, 17, Type::i8},
                             {6, 8, 1, 3, 2, 1, 33, Type::i8}};
  for (const bool exact : {false, true}) {
    for (const Convolution& one : all) {
      const int element = one.type == Type::u8 ? w::kUint8 : w::kInt8;
      const int64_t of_group = one.channels / one.groups;
      std::vector<double> scales;
      for (int64_t f = 0; f < one.filters; ++f)
        scales.push_back(exact ? 0x1p-5 : 0.0137 + 0.0011 * static_cast<double>(f));
      w::GraphParts parts;
      parts.inputs = {w::value("x", element, {1, one.channels, one.size, one.size + 2})};
      const auto scalar = [&](const char* name, double number) {
        return w::raw_tensor(name, w::kFloat, {}, raw_bytes(reals({number})));
      };
      const auto zero = [&](const char* name, char number) {
        return w::raw_tensor(name, element, {}, std::string(1, number));
      };
      parts.initializers = {
          scalar("xs", exact ? 0.5 : 0.0213),
          zero("xz", 77),
          w::raw_tensor(
              "w", w::kInt8, {one.filters, of_group, one.taps, one.taps},
              raw_bytes(drawn_bytes(Type::i8, {one.filters, of_group, one.taps, one.taps}, 3))),
          w::raw_tensor("ws", w::kFloat, {one.filters}, raw_bytes(reals(scales))),
          w::raw_tensor("wz", w::kInt8, {one.filters},
                        std::string(static_cast<size_t>(one.filters), char{0})),
          scalar("ys", exact ? 4.0 : 0.171),
          zero("yz", 11)};
      parts.nodes = {w::node(
          "QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz"}, {"y"},
          {w::integer_attribute("group", one.groups),
           w::integers_attribute("strides", {one.stride, one.stride}),
           w::integers_attribute("pads", {one.margin, one.margin, one.margin, one.margin})})};
      parts.outputs = {w::Message().text(1, "y")};
      const EmittedProgram program(w::model(w::graph(parts)).bytes(), options());
      for (const uint64_t seed : {5, 6})
        program.expect_agrees(
            {drawn_bytes(one.type, {1, one.channels, one.size, one.size + 2}, seed)});
    }
  }
}

TEST_P(EmittedIntegers, Products) {
  for (const Type type : {Type::u8, Type::i8}) {
    const int element = type == Type::u8 ? w::kUint8 : w::kInt8;
    w::GraphParts parts;
    parts.inputs = {w::value("x", element, {"rows", 45}), w::value("z", element, {45, 33}),
                    w::value("zero", element, {})};
    parts.initializers = {
        w::raw_tensor("w", w::kUint8, {45, 70}, raw_bytes(drawn_bytes(Type::u8, {45, 70}, 4))),
        w::raw_tensor("wz", w::kUint8, {}, std::string(1, char{77}))};
    parts.nodes = {w::node("MatMulInteger", {"x", "w", "zero", "wz"}, {"y"}),
                   w::node("MatMulInteger", {"x", "z", "zero", "zero"}, {"both"})};
    parts.outputs = {w::Message().text(1, "y"), w::Message().text(1, "both")};
    const EmittedProgram program(w::model(w::graph(parts)).bytes(), options({"rows=1..40@24"}));
    for (const int64_t rows : {1, 7, 24, 40})
      program.expect_agrees({drawn_bytes(type, {rows, 45}, 6), drawn_bytes(type, {45, 33}, 7),
                             drawn_bytes(type, {}, 9)});
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, EmittedIntegers, testing::ValuesIn(machines()));

}  // namespace
}  // namespace burin::emitted_integers_test
