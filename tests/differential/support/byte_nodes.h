// What random networks of bytes are made of: constants, nodes, quantised tensors, windows, weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "differential/support/byte_graph.h"
#include "differential/support/random_node.h"
#include "support/onnx_writer.h"

namespace burin {

class ByteNodes {
 protected:
  explicit ByteNodes(uint64_t seed) : draw_(seed) {}

  // A tensor on the way: quantised bytes, and in a QDQ graph the floats that these stand for.
  struct Tensor {
    std::string bytes, floats;
    std::vector<int64_t> shape;
    double scale = 1;
    int zero = 0;
  };

  std::string name() { return "t" + std::to_string(made_++); }
  int element() const { return type_ == Type::u8 ? onnx_writer::kUint8 : onnx_writer::kInt8; }
  static std::string raw(const HostTensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
  }
  std::string constant(const HostTensor& tensor) {
    static constexpr int kNone = 0;
    const int kind = tensor.type == Type::f32   ? onnx_writer::kFloat
                     : tensor.type == Type::u8  ? onnx_writer::kUint8
                     : tensor.type == Type::i8  ? onnx_writer::kInt8
                     : tensor.type == Type::i32 ? onnx_writer::kInt32
                     : tensor.type == Type::i64 ? +onnx_writer::Element::kInt64
                                                : kNone;
    parts_.initializers.push_back(onnx_writer::raw_tensor(name(), kind, tensor.shape, raw(tensor)));
    return "t" + std::to_string(made_ - 1);
  }
  std::string real(double number) {
    return constant(make_tensor(Type::f32, {}, std::vector<double>{number}));
  }
  std::string number(Type type, int64_t value) {
    return constant(make_tensor(type, {}, std::vector<int64_t>{value}));
  }
  std::string node(const char* kind, const onnx_writer::Names& inputs,
                   const std::vector<onnx_writer::Message>& attributes = {},
                   bool microsoft = false) {
    const std::string to = name();
    parts_.nodes.push_back(
        onnx_writer::node(kind, inputs, {to}, attributes, "", microsoft ? "com.microsoft" : ""));
    return to;
  }
  void say(const std::string& text) { out_.says += "; " + text; }
  static std::string sizes(const std::vector<int64_t>& all) {
    std::string text;
    for (const int64_t one : all) text += (text.empty() ? "" : "x") + std::to_string(one);
    return text;
  }

  // Scales that exporters find, and now and then one whose quotients are short.
  double scale(double about) {
    if (draw_.chance(0.1)) return std::exp2(std::round(std::log2(about)));
    if (draw_.chance(0.1)) return std::round(about * 1000 + 1) / 1000;
    return static_cast<float>(about * (0.7 + static_cast<double>(draw_.between(0, 999)) / 1500));
  }
  int zero() {
    const int low = type_ == Type::u8 ? 0 : -128;
    if (draw_.chance(0.2)) return low;
    if (draw_.chance(0.1)) return low + 255;
    if (draw_.chance(0.3)) return type_ == Type::u8 ? 128 : 0;
    return low + static_cast<int>(draw_.between(0, 255));
  }
  HostTensor drawn(Type type, const std::vector<int64_t>& shape, int64_t low, int64_t high) {
    HostTensor tensor = make_tensor(type, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const bool end = draw_.chance(0.05);
      tensor.set(i, {0, end ? (draw_.chance(0.5) ? low : high) : draw_.between(low, high)});
    }
    return tensor;
  }

  Tensor dequantised(Tensor tensor) {
    if (linear_) return tensor;
    tensor.floats =
        node("DequantizeLinear", {tensor.bytes, real(tensor.scale), number(type_, tensor.zero)});
    return tensor;
  }
  // Of floats `from` that reach as far as `reach`.
  Tensor quantised(const std::string& from, const std::vector<int64_t>& shape, double reach) {
    Tensor to{"", "", shape, scale(reach / 100), zero()};
    to.bytes = node("QuantizeLinear", {from, real(to.scale), number(type_, to.zero)});
    return dequantised(to);
  }

  struct Window {
    std::vector<int64_t> taps, strides, dilations, pads, out;
    std::vector<onnx_writer::Message> attributes() const {
      return {onnx_writer::integers_attribute("kernel_shape", taps),
              onnx_writer::integers_attribute("strides", strides),
              onnx_writer::integers_attribute("pads", pads)};
    }
    std::string says() const {
      return sizes(taps) + "/" + sizes(strides) +
             (dilations == std::vector<int64_t>{1, 1} ? "" : "~" + sizes(dilations)) + "+" +
             sizes(pads);
    }
  };
  Window window(const std::vector<int64_t>& shape, int64_t most, bool dilated) {
    for (;;) {
      Window one;
      const int64_t taps = draw_.pick(std::vector<int64_t>{1, 1, 3, 3, 3, 5, 7, 2});
      const int64_t stride = draw_.pick(std::vector<int64_t>{1, 1, 1, 2, 2, 3});
      const int64_t apart = dilated && draw_.chance(0.15) ? draw_.between(2, 3) : 1;
      const bool even = draw_.chance(0.7);
      for (int axis = 0; axis < 2; ++axis) {
        one.taps.push_back(even ? taps : draw_.pick(std::vector<int64_t>{1, 2, 3, 5}));
        one.strides.push_back(even ? stride : draw_.between(1, 3));
        one.dilations.push_back(apart);
      }
      for (int side = 0; side < 2; ++side) {
        for (int axis = 0; axis < 2; ++axis) {
          const auto a = static_cast<size_t>(axis);
          const int64_t same = (one.taps[a] - 1) / 2 * one.dilations[a];
          one.pads.push_back(draw_.chance(0.8) ? same : draw_.between(0, one.taps[a] - 1));
        }
      }
      for (size_t a = 0; a < 2; ++a) {
        const int64_t reach = (one.taps[a] - 1) * one.dilations[a] + 1;
        const int64_t room = shape[2 + a] + one.pads[a] + one.pads[a + 2] - reach;
        one.out.push_back(room < 0 ? 0 : room / one.strides[a] + 1);
      }
      if (one.taps[0] > most || one.taps[1] > most) continue;
      if (one.out[0] > 0 && one.out[1] > 0) return one;
    }
  }

  struct Weights {
    std::string bytes, scales, zeros, bias;
    std::string floats, bias_floats;  // of a QDQ graph
    double scale = 0;
  };
  // Of `shape`, whose axis `axis` has a scale for each index or none has.
  Weights weights(const std::vector<int64_t>& shape, size_t axis, int64_t depth, double in_scale,
                  bool has_bias) {
    Weights out;
    const bool each = draw_.chance(0.6);
    const Type type = type_ == Type::u8 && draw_.chance(0.3) ? Type::u8 : Type::i8;
    const int64_t middle = type == Type::u8 ? draw_.between(100, 156) : 0;
    out.bytes =
        constant(drawn(type, shape, type == Type::u8 ? 0 : -127, type == Type::u8 ? 255 : 127));
    const int64_t count = each ? shape[axis] : 1;
    out.scale = 0.02 / std::sqrt(static_cast<double>(depth));
    std::vector<double> scales, in_scales;
    for (int64_t i = 0; i < count; ++i) {
      scales.push_back(static_cast<float>(scale(out.scale)));
      in_scales.push_back(static_cast<float>(scales.back()) * static_cast<float>(in_scale));
    }
    const std::vector<int64_t> dims = each ? std::vector<int64_t>{count} : std::vector<int64_t>{};
    out.scales = constant(make_tensor(Type::f32, dims, scales));
    out.zeros =
        constant(make_tensor(type, dims, std::vector<int64_t>(static_cast<size_t>(count), middle)));
    if (has_bias) out.bias = constant(drawn(Type::i32, {shape[axis]}, -2000, 2000));
    if (linear_) return out;
    const std::vector<onnx_writer::Message> along = {
        onnx_writer::integer_attribute("axis", static_cast<int64_t>(axis))};
    out.floats = node("DequantizeLinear", {out.bytes, out.scales, out.zeros},
                      each ? along : std::vector<onnx_writer::Message>{});
    if (has_bias) {
      out.bias_floats =
          node("DequantizeLinear", {out.bias, constant(make_tensor(Type::f32, dims, in_scales))},
               each ? std::vector<onnx_writer::Message>{onnx_writer::integer_attribute("axis", 0)}
                    : std::vector<onnx_writer::Message>{});
    }
    return out;
  }

  Draw draw_;
  bool linear_ = false;
  Type type_ = Type::u8;
  onnx_writer::GraphParts parts_;
  int made_ = 0;
  ByteGraph out_;
};

}  // namespace burin
