// Filters that stay as small as the model has them, as emitted code: bytes with zero points,
// nibbles, scales of channels and of blocks, fp16; windows of stride 1 and 2, groups, dilated,
// pointwise and transposed convolutions, of one image and of two, by threads. Beside the
// interpreter, under sanitizers where the machine is this one.
#include <gtest/gtest.h>

#include <set>

#include "differential/support/drawn_bytes.h"
#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "support/numbers.h"
#include "support/onnx_writer.h"

namespace burin::emitted_filters_test {
namespace {

namespace w = onnx_writer;

struct Filter {
  const char* name;
  int element;  // as the model holds it
  int64_t in, out, taps, groups, stride;
  int64_t block = 0;  // of input channels with a scale each; 0: a scale for each filter
  bool transposed = false;
  int64_t dilation = 1;
};

HostTensor drawn_scales(const std::vector<int64_t>& shape) {
  Numbers numbers(5);
  HostTensor out = make_tensor(Type::f32, shape);
  for (int64_t i = 0; i < out.elements(); ++i)
    out.set(i, {0.001 * static_cast<double>(1 + numbers.below(16))});
  return out;
}

// Numbers of 16 bits that are no more than 1.
std::string drawn_halves(int64_t count) {
  Numbers numbers(7);
  std::string out;
  for (int64_t i = 0; i < count; ++i) {
    const auto bits =
        static_cast<uint16_t>(0x2c00 + numbers.below(0x1000) + (numbers.below(2) ? 0x8000 : 0));
    out += static_cast<char>(bits & 255);
    out += static_cast<char>(bits >> 8);
  }
  return out;
}

std::string network(const Filter& filter, int64_t size) {
  const std::vector<int64_t> shape =
      filter.transposed
          ? std::vector<int64_t>{filter.in, filter.out / filter.groups, filter.taps, filter.taps}
          : std::vector<int64_t>{filter.out, filter.in / filter.groups, filter.taps, filter.taps};
  const int64_t elements = shape[0] * shape[1] * shape[2] * shape[3];
  const bool nibbles = filter.element == w::kInt4 || filter.element == w::kUint4;
  w::GraphParts parts;
  if (filter.element == w::kFloat16) {
    parts.initializers = {w::raw_tensor("stored", w::kFloat16, shape, drawn_halves(elements))};
    parts.nodes = {
        w::node("Cast", {"stored"}, {"filter"}, {w::integer_attribute("to", w::kFloat)})};
  } else {
    std::vector<int64_t> scales{shape[0]};
    if (filter.block > 0) scales = {shape[0], shape[1] / filter.block, shape[2], shape[3]};
    const HostTensor scale = drawn_scales(scales);
    const auto bytes = [&](int64_t count, uint64_t seed) {
      return raw_bytes(drawn_bytes(Type::u8, {nibbles ? (count + 1) / 2 : count}, seed));
    };
    parts.initializers = {
        w::raw_tensor("stored", filter.element, shape, bytes(elements, 1)),
        w::raw_tensor("scale", w::kFloat, scales, raw_bytes(scale)),
        w::raw_tensor("zero", filter.element, scales, bytes(scale.elements(), 2))};
    std::vector<w::Message> attributes{w::integer_attribute("axis", filter.block > 0 ? 1 : 0)};
    if (filter.block > 0) attributes.push_back(w::integer_attribute("block_size", filter.block));
    parts.nodes = {
        w::node("DequantizeLinear", {"stored", "scale", "zero"}, {"filter"}, attributes)};
  }
  const int64_t edge = filter.taps / 2 * filter.dilation;
  parts.nodes.push_back(
      w::node(filter.transposed ? "ConvTranspose" : "Conv", {"x", "filter"}, {"sum"},
              {w::integers_attribute("pads", {edge, edge, edge, edge}),
               w::integers_attribute("strides", {filter.stride, filter.stride}),
               w::integers_attribute("dilations", {filter.dilation, filter.dilation}),
               w::integer_attribute("group", filter.groups)},
              "filtered"));
  parts.nodes.push_back(w::node("Relu", {"sum"}, {"y"}));
  parts.inputs = {w::value("x", w::kFloat, {"batch", filter.in, size, size})};
  parts.outputs = {w::value("y", w::kFloat, {"batch", filter.out, "h", "w"})};
  return w::model(w::graph(parts), {}, {w::opset("", 21)}, 10).bytes();
}

const std::vector<Filter> kFilters = {
    {"bytes", w::kInt8, 128, 130, 3, 1, 1},
    {"bytes without a sign, stride 2", w::kUint8, 128, 130, 3, 1, 2},
    {"nibbles", w::kInt4, 128, 133, 3, 1, 1},
    {"nibbles without a sign, pointwise", w::kUint4, 384, 390, 1, 1, 1},
    {"nibbles in blocks", w::kUint4, 128, 130, 3, 1, 1, 32},
    {"groups", w::kInt8, 256, 260, 3, 2, 1},
    {"fp16", w::kFloat16, 128, 130, 3, 1, 1},
    {"transposed", w::kInt8, 128, 130, 3, 1, 1, 0, true},
    {"dilated", w::kUint8, 128, 130, 3, 1, 1, 0, false, 2},
};

class EmittedFilters : public testing::TestWithParam<const char*> {};

TEST_P(EmittedFilters, StaySmallAndAgree) {
  for (const Filter& filter : kFilters) {
    SCOPED_TRACE(filter.name);
    const int64_t size = 6;
    const EmittedProgram program(network(filter, size),
                                 {.dims = {"batch=1..3"},
                                  .hardware = GetParam(),
                                  .sanitize = std::string(GetParam()).starts_with("x86"),
                                  .threads = 3});
    int64_t bytes = 0;
    std::set<ValueId> read;
    for (const Step& step : program.plan().graph.steps) {
      for (const ValueId id : reads_of(step)) read.insert(id);
    }
    for (const ValueId id : read) {
      const Value& value = program.plan().graph.values[static_cast<size_t>(id)];
      if (value.kind == ValueKind::constant) bytes += static_cast<int64_t>(value.constant.bytes);
    }
    const int64_t numbers = filter.in * filter.out / filter.groups * filter.taps * filter.taps;
    const bool converts = project_hardware(GetParam()).instructions.half_convert;
    const int64_t bits = filter.element == w::kFloat16 && !converts                  ? 32
                         : filter.element == w::kFloat16                             ? 16
                         : filter.element == w::kInt4 || filter.element == w::kUint4 ? 4
                                                                                     : 8;
    // Scales are floats, and zero points bytes; the last block of rows may be filled up.
    const int64_t scales = filter.block > 0 ? numbers / filter.block * 5 : filter.in * 5 + 4096;
    EXPECT_LT(bytes, numbers * bits / 8 * 11 / 10 + scales + 4096);
    for (const int64_t batch : {1, 2}) {
      Numbers drawn(11);
      HostTensor x = make_tensor(Type::f32, {batch, filter.in, size, size});
      for (int64_t i = 0; i < x.elements(); ++i)
        x.set(i, {static_cast<double>(drawn.below(64)) / 64 - 0.5});
      program.expect_agrees({x});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, EmittedFilters,
                         testing::Values("cpp-generic", "x86-64-v3", "armv8-neoverse-n1"));

}  // namespace
}  // namespace burin::emitted_filters_test
