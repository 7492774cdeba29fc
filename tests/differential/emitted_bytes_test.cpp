// Functions of bytes as emitted code: quantised floats, residuals, activations and pools of a small
// network, in floats and by tables and lines where a description has them. All elements are equal
// to the interpreter's; there is no tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "differential/support/emitted_run.h"
#include "support/numbers.h"
#include "support/onnx_writer.h"

namespace burin::emitted_bytes_test {
namespace {

namespace w = onnx_writer;

class EmittedBytes : public testing::TestWithParam<std::string> {
 protected:
  EmittedOptions options() const {
    return {.hardware = GetParam().c_str(), .sanitize = GetParam().starts_with("x86")};
  }
};

std::string bytes_of(const HostTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
}

// What a quantised network has besides its products. `size`: of planes, whose rows are no multiple
// of anything; `element`: of all bytes.
std::string network(int64_t channels, int64_t size, Type type) {
  const int element = type == Type::u8 ? w::kUint8 : w::kInt8;
  w::GraphParts parts;
  int made = 0;
  const auto real = [&](double number) {
    const std::string name = "c" + std::to_string(made++);
    parts.initializers.push_back(w::raw_tensor(
        name, w::kFloat, {}, bytes_of(make_tensor(Type::f32, {}, std::vector<double>{number}))));
    return name;
  };
  const auto zero = [&](int number) {
    const std::string name = "z" + std::to_string(made++);
    parts.initializers.push_back(
        w::raw_tensor(name, element, {}, std::string(1, static_cast<char>(number))));
    return name;
  };
  const auto quantised = [&](const std::string& from, double scale, int at, const std::string& to) {
    parts.nodes.push_back(w::node("QuantizeLinear", {from, real(scale), zero(at)}, {to}));
  };
  const auto dequantised = [&](const std::string& from, double scale, int at,
                               const std::string& to) {
    parts.nodes.push_back(w::node("DequantizeLinear", {from, real(scale), zero(at)}, {to}));
  };
  parts.inputs = {w::value("image", w::kFloat, {1, channels, size, size}),
                  w::value("other", element, {1, channels, size, size}),
                  w::value("gate", element, {1, channels, 1, 1})};
  quantised("image", 0.01871, 41, "q");
  dequantised("q", 0.01871, 41, "qf");
  dequantised("other", 0.02309, 7, "of");
  parts.nodes.push_back(w::node("Add", {"qf", "of"}, {"sum"}));
  parts.nodes.push_back(w::node("Relu", {"sum"}, {"positive"}));
  quantised("positive", 0.02713, 3, "residual");
  parts.nodes.push_back(w::node(
      "MaxPool", {"residual"}, {"pooled"},
      {w::integers_attribute("kernel_shape", {3, 3}), w::integers_attribute("strides", {2, 2}),
       w::integers_attribute("pads", {1, 1, 1, 1})}));
  dequantised("residual", 0.02713, 3, "rf");
  parts.nodes.push_back(w::node("Sigmoid", {"rf"}, {"swish"}));
  quantised("swish", 0.00391, 0, "table");
  dequantised("gate", 0.00407, 5, "gf");
  parts.nodes.push_back(w::node("Mul", {"rf", "gf"}, {"gated"}));
  quantised("gated", 0.01453, 9, "chosen");
  for (const char* name : {"pooled", "table", "chosen", "residual"})
    parts.outputs.push_back(w::Message().text(1, name));
  return w::model(w::graph(parts)).bytes();
}

TEST_P(EmittedBytes, AreThoseOfFloats) {
  for (const Type type : {Type::u8, Type::i8}) {
    for (const int64_t size : {9, 24, 35}) {
      Numbers numbers(static_cast<uint64_t>(size));
      const auto drawn = [&](const std::vector<int64_t>& shape) {
        HostTensor out = make_tensor(type, shape);
        for (int64_t i = 0; i < out.elements(); ++i)
          out.set(i, {0, lowest(type) + static_cast<int64_t>(numbers.below(256))});
        return out;
      };
      HostTensor image = make_tensor(Type::f32, {1, 5, size, size});
      for (int64_t i = 0; i < image.elements(); ++i)
        image.set(
            i, {static_cast<float>(static_cast<double>(numbers.below(1 << 20)) * 0x1p-17 - 3), 0});
      image.set(1, {std::numeric_limits<double>::infinity(), 0});
      image.set(2, {-1e30, 0});
      image.set(3, {-0.0, 0});
      const EmittedProgram program(network(5, size, type), options());
      program.expect_agrees({image, drawn({1, 5, size, size}), drawn({1, 5, 1, 1})});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, EmittedBytes,
                         testing::Values("hexagon-v66", "x86-64-v3", "armv8-neoverse-n1",
                                         "armv8-i8mm"));

}  // namespace
}  // namespace burin::emitted_bytes_test
