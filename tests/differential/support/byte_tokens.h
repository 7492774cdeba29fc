// Random networks of bytes over rows of features: products whose columns have scales, biases and
// activations of their own, attention, normalised rows, as exporters of transformers write them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "differential/support/byte_nodes.h"

namespace burin {

class ByteTokens : protected ByteNodes {
 protected:
  using ByteNodes::ByteNodes;

  // Channels as tokens, planes as their features.
  Tensor tokens(const Tensor& at) {
    Tensor rows = at;
    rows.shape = {at.shape[0], at.shape[1], at.shape[2] * at.shape[3]};
    rows.bytes = node("Reshape", {at.bytes, sizes_constant(rows.shape)});
    rows = dequantised(rows);
    const int64_t layers = draw_.between(1, 4);
    for (int64_t i = 0; i < layers; ++i) rows = token_layer(rows);
    return rows;
  }

 private:
  std::string sizes_constant(const std::vector<int64_t>& shape) {
    return constant(make_tensor(Type::i64, {static_cast<int64_t>(shape.size())}, shape));
  }
  Tensor token_layer(const Tensor& rows) {
    const int64_t kind = draw_.between(0, 5);
    if (kind <= 2 || linear_) return dense(rows);
    if (kind == 3) return attended(rows);
    if (kind == 4) return normalised(rows);
    say("softmax");
    return quantised(node("Softmax", {rows.floats}, {onnx_writer::integer_attribute("axis", -1)}),
                     rows.shape, 0.5);
  }

  Tensor dense(const Tensor& rows) {
    const int64_t depth = rows.shape[2];
    const int64_t most = 2'000'000 / (rows.shape[0] * rows.shape[1] * depth + 1) + 1;
    const int64_t columns = std::min(most, draw_.between(1, 200));
    say("dense " + std::to_string(columns));
    const Weights of = weights({depth, columns}, 1, depth, rows.scale, false);
    const std::vector<int64_t> shape = {rows.shape[0], rows.shape[1], columns};
    const double reach = rows.scale * of.scale * 7000 * std::sqrt(static_cast<double>(depth));
    if (linear_) {
      Tensor to{"", "", shape, scale(reach / 100), zero()};
      to.bytes =
          node("QLinearMatMul", {rows.bytes, real(rows.scale), number(type_, rows.zero), of.bytes,
                                 of.scales, of.zeros, real(to.scale), number(type_, to.zero)});
      return to;
    }
    Tensor to = quantised(node("MatMul", {rows.floats, of.floats}), shape, reach);
    if (draw_.chance(0.6)) {
      say("bias");
      const std::string bias =
          draw_.chance(0.7) ? bias_of_bytes(columns, to.scale) : bias_of_floats(columns, to.scale);
      to = quantised(node("Add", {bias, to.floats}), shape, to.scale * 110);
    }
    if (draw_.chance(0.4)) to = gelu(to);
    if (columns == depth && draw_.chance(0.7)) {
      say("residual");
      to = quantised(node("Add", {to.floats, rows.floats}), shape, (to.scale + rows.scale) * 80);
    }
    return to;
  }
  std::string bias_of_bytes(int64_t columns, double about) {
    return node("DequantizeLinear",
                {constant(drawn(type_, {columns}, lowest(type_), highest(type_))),
                 real(scale(about / 2)), number(type_, zero())});
  }
  std::string bias_of_floats(int64_t columns, double about) {
    HostTensor bias = make_tensor(Type::f32, {columns});
    for (int64_t i = 0; i < columns; ++i)
      bias.set(i, {static_cast<float>(about * static_cast<double>(draw_.between(-40, 40))), 0});
    return constant(bias);
  }
  // x (1 + erf(x / c)) / 2, every step quantised.
  Tensor gelu(const Tensor& at) {
    say("gelu");
    const Tensor erf =
        quantised(node("Erf", {node("Div", {at.floats, real(1.4142135)})}), at.shape, 1);
    const Tensor sum = quantised(node("Add", {erf.floats, real(1)}), at.shape, 2);
    const Tensor product =
        quantised(node("Mul", {at.floats, sum.floats}), at.shape, at.scale * 250);
    return quantised(node("Mul", {product.floats, real(0.5)}), at.shape, at.scale * 120);
  }
  Tensor attended(const Tensor& rows) {
    if (rows.shape[1] * rows.shape[1] * rows.shape[2] > 1'000'000) return normalised(rows);
    say("attention");
    const std::vector<int64_t> scores = {rows.shape[0], rows.shape[1], rows.shape[1]};
    const std::string turned =
        node("Transpose", {rows.floats}, {onnx_writer::integers_attribute("perm", {0, 2, 1})});
    Tensor at =
        quantised(node("MatMul", {rows.floats, turned}), scores,
                  rows.scale * rows.scale * 9000 * std::sqrt(static_cast<double>(rows.shape[2])));
    at = quantised(node("Softmax", {at.floats}), scores, 0.5);
    return quantised(node("MatMul", {at.floats, rows.floats}), rows.shape, rows.scale * 90);
  }
  Tensor normalised(const Tensor& rows) {
    say("normalised");
    out_.float_sums = true;
    const int64_t features = rows.shape[2];
    HostTensor factors = make_tensor(Type::f32, {features}), offsets = factors;
    for (int64_t i = 0; i < features; ++i) {
      factors.set(i, {static_cast<float>(static_cast<double>(draw_.between(-20, 150)) / 100), 0});
      offsets.set(i, {static_cast<float>(static_cast<double>(draw_.between(-50, 50)) / 100), 0});
    }
    return quantised(
        node("LayerNormalization", {rows.floats, constant(factors), constant(offsets)}), rows.shape,
        3);
  }
};

}  // namespace burin
