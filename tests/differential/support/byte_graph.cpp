#include "differential/support/byte_graph.h"

#include "differential/support/byte_tokens.h"

namespace burin {
namespace {

namespace w = onnx_writer;

constexpr int64_t kMostProducts = 3'000'000;

class Drawn : ByteTokens {
 public:
  explicit Drawn(uint64_t seed) : ByteTokens(seed) {
    out_.exact = linear_ = draw_.chance(0.4);
    type_ = draw_.chance(0.5) ? Type::u8 : Type::i8;
  }

  ByteGraph graph() {
    Tensor at = input();
    const int64_t layers = draw_.between(1, 6);
    for (int64_t i = 0; i < layers && at.shape.size() == 4; ++i) at = layer(at);
    if (draw_.chance(0.3)) {
      at = tokens(at);
    } else if (draw_.chance(0.3)) {
      at = classifier(at);
    }
    parts_.outputs.push_back(w::Message().text(1, at.bytes));
    const std::vector<w::Message> opsets = {w::opset("", 17), w::opset("com.microsoft", 1)};
    out_.model = w::model(w::graph(parts_), {}, opsets).bytes();
    out_.says = (linear_ ? "qop " : "qdq ") + std::string(to_string(type_)) + out_.says;
    return out_;
  }

 private:
  Tensor input() {
    const std::vector<int64_t> shape = {draw_.chance(0.2) ? 2 : 1, draw_.between(1, 70),
                                        draw_.between(1, 30), draw_.between(1, 40)};
    say(sizes(shape));
    if (!linear_ && draw_.chance(0.4)) {
      HostTensor image = make_tensor(Type::f32, shape);
      for (int64_t i = 0; i < image.elements(); ++i)
        image.set(
            i,
            {static_cast<float>(static_cast<double>(draw_.between(0, 1 << 20)) * 0x1p-18 - 2), 0});
      out_.inputs.push_back(image);
      std::vector<w::Size> dims(shape.begin(), shape.end());
      parts_.inputs.push_back(w::value("x", w::kFloat, dims));
      say("floats");
      return quantised("x", shape, 2);
    }
    out_.inputs.push_back(drawn(type_, shape, lowest(type_), highest(type_)));
    std::vector<w::Size> dims(shape.begin(), shape.end());
    parts_.inputs.push_back(w::value("x", element(), dims));
    return dequantised({"x", "", shape, scale(0.02), zero()});
  }

  Tensor layer(const Tensor& at) {
    const int64_t kind = draw_.between(0, 15);
    if (kind < 5) return convolution(at);
    if (kind == 5) return depthwise(at);
    if (kind == 6) return residual(at);
    if (kind == 7) return residual(at, true);
    if (kind == 8) return pool(at);
    if (kind == 9) return average(at);
    if (kind == 10) return gate(at);
    if (kind == 11) return function(at);
    if (kind == 12) return joined(at);
    if (kind == 13) return moved(at);
    if (kind == 14) return linear_ ? convolution(at) : wider(at);
    return linear_ ? depthwise(at) : transposed(at);
  }

  Tensor convolution(const Tensor& at) {
    const int64_t channels = at.shape[1];
    int64_t groups = 1;
    for (const int64_t tried : {2, 3, 4})
      if (channels % tried == 0 && draw_.chance(0.15)) groups = tried;
    for (int tries = 0;; ++tries) {
      const Window one = window(at.shape, tries > 8 ? 1 : 7, true);
      const int64_t filters = groups * std::max<int64_t>(1, draw_.between(1, 70) / groups);
      const int64_t depth = channels / groups * one.taps[0] * one.taps[1];
      if (at.shape[0] * filters * one.out[0] * one.out[1] * depth > kMostProducts && tries < 40)
        continue;
      return convolution(at, one, filters, groups);
    }
  }
  Tensor depthwise(const Tensor& at) {
    const int64_t times = draw_.chance(0.2) ? 2 : 1;
    return convolution(at, window(at.shape, 7, true), at.shape[1] * times, at.shape[1]);
  }

  // What follows a product of floats before it is quantised.
  std::string activated(std::string from, const std::vector<int64_t>& shape) {
    const int64_t kind = draw_.between(0, 9);
    if (kind < 3) return say("relu"), node("Relu", {from});
    if (kind == 3) return say("relu6"), node("Clip", {from, real(0), real(6)});
    if (kind == 4) return say("leaky"), node("LeakyRelu", {from});
    if (kind == 5) return say("hswish"), node("HardSwish", {from});
    if (kind == 6) return say("swish"), node("Mul", {from, node("Sigmoid", {from})});
    if (kind == 7) {
      HostTensor slopes = make_tensor(Type::f32, {shape[1], 1, 1});
      for (int64_t i = 0; i < shape[1]; ++i)
        slopes.set(i, {static_cast<float>(static_cast<double>(draw_.between(0, 99)) / 256), 0});
      return say("prelu"), node("PRelu", {from, constant(slopes)});
    }
    return from;
  }

  Tensor convolution(const Tensor& at, const Window& one, int64_t filters, int64_t groups) {
    const int64_t depth = at.shape[1] / groups * one.taps[0] * one.taps[1];
    const bool has_bias = draw_.chance(0.7);
    say("conv " + std::to_string(filters) + (groups > 1 ? " g" + std::to_string(groups) : "") +
        " " + one.says());
    const Weights of = weights({filters, at.shape[1] / groups, one.taps[0], one.taps[1]}, 0, depth,
                               at.scale, has_bias);
    std::vector<w::Message> attributes = one.attributes();
    attributes.push_back(w::integers_attribute("dilations", one.dilations));
    attributes.push_back(w::integer_attribute("group", groups));
    const std::vector<int64_t> shape = {at.shape[0], filters, one.out[0], one.out[1]};
    const double reach = at.scale * of.scale * 7000 * std::sqrt(static_cast<double>(depth));
    if (linear_) {
      Tensor to{"", "", shape, scale(reach / 100), zero()};
      w::Names inputs = {at.bytes,  real(at.scale), number(type_, at.zero), of.bytes,
                         of.scales, of.zeros,       real(to.scale),         number(type_, to.zero)};
      if (has_bias) inputs.push_back(of.bias);
      to.bytes = node("QLinearConv", inputs, attributes);
      keep(to);
      return to;
    }
    w::Names inputs = {at.floats, of.floats};
    if (has_bias) inputs.push_back(of.bias_floats);
    const Tensor to = quantised(activated(node("Conv", inputs, attributes), shape), shape, reach);
    keep(to);
    return to;
  }

  Tensor transposed(const Tensor& at) {
    const int64_t stride = draw_.between(1, 2), taps = draw_.between(stride, 4);
    const int64_t h = (at.shape[2] - 1) * stride + taps, v = (at.shape[3] - 1) * stride + taps;
    const int64_t filters = std::clamp<int64_t>(
        kMostProducts / (at.shape[0] * at.shape[1] * at.shape[2] * at.shape[3] * taps * taps + 1),
        1, draw_.between(1, 40));
    say("deconv " + std::to_string(filters) + " " + std::to_string(taps) + "/" +
        std::to_string(stride));
    const Weights of = weights({at.shape[1], filters, taps, taps}, 1, at.shape[1], at.scale, false);
    const std::vector<int64_t> shape = {at.shape[0], filters, h, v};
    const std::string from = node("ConvTranspose", {at.floats, of.floats},
                                  {w::integers_attribute("kernel_shape", {taps, taps}),
                                   w::integers_attribute("strides", {stride, stride})});
    return quantised(activated(from, shape), shape,
                     at.scale * of.scale * 7000 * std::sqrt(static_cast<double>(at.shape[1])));
  }

  // Tensors that later layers may read again.
  void keep(const Tensor& tensor) { kept_.push_back(tensor); }
  const Tensor* like(const Tensor& at, bool channels) {
    for (size_t i = kept_.size(); i-- > 0;) {
      const Tensor& one = kept_[i];
      if (one.bytes == at.bytes || one.shape.size() != 4 || at.shape.size() != 4) continue;
      if ((!channels || one.shape[1] == at.shape[1]) && one.shape[0] == at.shape[0] &&
          one.shape[2] == at.shape[2] && one.shape[3] == at.shape[3])
        return &one;
    }
    return nullptr;
  }

  Tensor residual(const Tensor& at, bool product = false) {
    keep(at);
    const Tensor* found = like(at, true);
    const Tensor other =
        found ? *found
              : convolution(at, {{1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {at.shape[2], at.shape[3]}},
                            at.shape[1], 1);
    say(product ? "mul" : "add");
    if (linear_) {
      Tensor to{"", "", at.shape,
                product ? scale(at.scale * other.scale * 100) : scale(at.scale + other.scale),
                zero()};
      to.bytes =
          node(product ? "QLinearMul" : "QLinearAdd",
               {at.bytes, real(at.scale), number(type_, at.zero), other.bytes, real(other.scale),
                number(type_, other.zero), real(to.scale), number(type_, to.zero)},
               {}, true);
      return to;
    }
    const std::string from = node(product ? "Mul" : "Add", {at.floats, other.floats});
    return quantised(activated(from, at.shape), at.shape,
                     product ? at.scale * other.scale * 8000 : (at.scale + other.scale) * 80);
  }

  Tensor pool(const Tensor& at) {
    const Window one = window(at.shape, 3, false);
    for (size_t a = 0; a < 4; ++a)
      if (one.pads[a] >= one.taps[a % 2]) return function(at);
    say("max " + one.says());
    Tensor to = at;
    to.shape = {at.shape[0], at.shape[1], one.out[0], one.out[1]};
    if (linear_) {
      to.bytes = node("MaxPool", {at.bytes}, one.attributes());
      return to;
    }
    const std::string from = node("MaxPool", {at.floats}, one.attributes());
    to.bytes = node("QuantizeLinear", {from, real(at.scale), number(type_, at.zero)});
    return dequantised(to);
  }

  Tensor average(const Tensor& at) {
    const bool whole = draw_.chance(0.6);
    Tensor to{"", "", {at.shape[0], at.shape[1], 1, 1}, scale(at.scale * 0.8), zero()};
    const Window one = window(at.shape, 3, false);
    for (size_t a = 0; a < 4; ++a)
      if (one.pads[a] >= one.taps[a % 2]) return function(at);
    if (!whole) to.shape = {at.shape[0], at.shape[1], one.out[0], one.out[1]};
    say(whole ? "average" : "average " + one.says());
    std::vector<w::Message> attributes = whole ? std::vector<w::Message>{} : one.attributes();
    if (!whole)
      attributes.push_back(w::integer_attribute("count_include_pad", draw_.between(0, 1)));
    if (linear_) {
      if (whole) attributes.push_back(w::integer_attribute("channels_last", 0));
      to.bytes = node(whole ? "QLinearGlobalAveragePool" : "QLinearAveragePool",
                      {at.bytes, real(at.scale), number(type_, at.zero), real(to.scale),
                       number(type_, to.zero)},
                      attributes, true);
      return to;
    }
    return quantised(node(whole ? "GlobalAveragePool" : "AveragePool", {at.floats}, attributes),
                     to.shape, at.scale * 80);
  }

  // Squeeze and excitation.
  Tensor gate(const Tensor& at) {
    keep(at);
    if (linear_) return function(at);
    say("gate");
    const std::vector<int64_t> one = {at.shape[0], at.shape[1], 1, 1};
    Tensor mean = quantised(node("GlobalAveragePool", {at.floats}), one, at.scale * 60);
    mean = convolution(mean, {{1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}}, at.shape[1], 1);
    const Tensor gates =
        quantised(node(draw_.chance(0.5) ? "Sigmoid" : "HardSigmoid", {mean.floats}), one, 0.4);
    return quantised(node("Mul", {at.floats, gates.floats}), at.shape, at.scale * 60);
  }

  Tensor function(const Tensor& at) {
    if (linear_) {
      const bool leaky = draw_.chance(0.5);
      say(leaky ? "qleaky" : "qsigmoid");
      Tensor to{"", "", at.shape, leaky ? scale(at.scale) : 1.0 / 256,
                leaky ? zero() : static_cast<int>(lowest(type_))};
      to.bytes = node(leaky ? "QLinearLeakyRelu" : "QLinearSigmoid",
                      {at.bytes, real(at.scale), number(type_, at.zero), real(to.scale),
                       number(type_, to.zero)},
                      {}, true);
      return to;
    }
    static const std::vector<const char*> kinds = {"Sigmoid", "Tanh",       "HardSwish", "Relu",
                                                   "Exp",     "Softplus",   "Erf",       "Neg",
                                                   "Abs",     "HardSigmoid"};
    const char* kind = draw_.pick(kinds);
    say(kind);
    std::string from = node(kind, {at.floats});
    if (draw_.chance(0.3)) from = node("Mul", {from, real(0.75)});
    return quantised(from, at.shape, at.scale * 90);
  }

  Tensor joined(const Tensor& at) {
    keep(at);
    const Tensor* found = like(at, false);
    const Tensor other = found ? *found : function(at);
    say("concat");
    Tensor to{"", "", at.shape, scale(std::max(at.scale, other.scale)), zero()};
    to.shape[1] += other.shape[1];
    if (linear_) {
      to.bytes =
          node("QLinearConcat",
               {real(to.scale), number(type_, to.zero), at.bytes, real(at.scale),
                number(type_, at.zero), other.bytes, real(other.scale), number(type_, other.zero)},
               {w::integer_attribute("axis", 1)}, true);
      return to;
    }
    const std::string from =
        node("Concat", {at.floats, other.floats}, {w::integer_attribute("axis", 1)});
    return quantised(from, to.shape, std::max(at.scale, other.scale) * 90);
  }

  // Bytes that only move.
  Tensor moved(const Tensor& at) {
    Tensor to = at;
    const int64_t kind = draw_.between(0, 3);
    const auto bytes_as = [&](const std::string& from) {
      to.bytes = from;
      return dequantised(to);
    };
    if (kind == 0 && at.shape[1] % 4 == 0) {
      say("depth to space");
      to.shape = {at.shape[0], at.shape[1] / 4, at.shape[2] * 2, at.shape[3] * 2};
      return bytes_as(node("DepthToSpace", {at.bytes}, {w::integer_attribute("blocksize", 2)}));
    }
    if (kind == 1 && at.shape[1] % 2 == 0) {
      say("shuffle");
      const std::string apart =
          node("Reshape",
               {at.bytes, constant(make_tensor(Type::i64, {5},
                                               std::vector<int64_t>{at.shape[0], 2, at.shape[1] / 2,
                                                                    at.shape[2], at.shape[3]}))});
      const std::string turned =
          node("Transpose", {apart}, {w::integers_attribute("perm", {0, 2, 1, 3, 4})});
      return bytes_as(node("Reshape", {turned, constant(make_tensor(Type::i64, {4}, at.shape))}));
    }
    if (kind == 2) {
      say("pad");
      const int64_t low = draw_.between(0, 2), high = draw_.between(0, 3);
      to.shape = {at.shape[0], at.shape[1], at.shape[2] + low + high, at.shape[3] + low + high};
      return bytes_as(
          node("Pad", {at.bytes,
                       constant(make_tensor(
                           Type::i64, {8}, std::vector<int64_t>{0, 0, low, low, 0, 0, high, high})),
                       number(type_, at.zero)}));
    }
    say("transpose");
    to.shape = {at.shape[0], at.shape[1], at.shape[3], at.shape[2]};
    return bytes_as(node("Transpose", {at.bytes}, {w::integers_attribute("perm", {0, 1, 3, 2})}));
  }

  Tensor wider(const Tensor& at) {
    if (at.shape[2] * at.shape[3] > 400) return function(at);
    const bool nearest = draw_.chance(0.6);
    say(nearest ? "nearest" : "bilinear");
    Tensor to = at;
    to.shape = {at.shape[0], at.shape[1], at.shape[2] * 2, at.shape[3] * 2};
    const std::vector<double> scales = {1, 1, 2, 2};
    const w::Message how = w::attribute("mode", w::kText).text(4, nearest ? "nearest" : "linear");
    return quantised(
        node("Resize", {at.floats, "", constant(make_tensor(Type::f32, {4}, scales))}, {how}),
        to.shape, at.scale * 90);
  }

  // Flattened bytes times a matrix; in floats also a softmax.
  Tensor classifier(const Tensor& at) {
    int64_t depth = 1;
    for (size_t d = 1; d < at.shape.size(); ++d) depth *= at.shape[d];
    if (depth > 20000) return at;
    const int64_t columns = draw_.between(1, 70);
    say("product " + std::to_string(depth) + "x" + std::to_string(columns));
    Tensor flat = at;
    flat.shape = {at.shape[0], depth};
    flat.bytes = node("Flatten", {at.bytes});
    flat = dequantised(flat);
    const Weights of = weights({depth, columns}, 1, depth, at.scale, false);
    const std::vector<int64_t> shape = {at.shape[0], columns};
    const double reach = at.scale * of.scale * 7000 * std::sqrt(static_cast<double>(depth));
    if (linear_) {
      Tensor to{"", "", shape, scale(reach / 100), zero()};
      to.bytes =
          node("QLinearMatMul", {flat.bytes, real(at.scale), number(type_, at.zero), of.bytes,
                                 of.scales, of.zeros, real(to.scale), number(type_, to.zero)});
      return to;
    }
    const Tensor to = quantised(node("MatMul", {flat.floats, of.floats}), shape, reach);
    if (!draw_.chance(0.4)) return to;
    say("softmax");
    return quantised(node("Softmax", {to.floats}), shape, 0.5);
  }

  std::vector<Tensor> kept_;
};

}  // namespace

ByteGraph byte_graph(uint64_t seed) { return Drawn(seed).graph(); }

}  // namespace burin
