// Random networks of 8 bits as exporters write them: convolutions of every shape, products,
// residuals, pools, functions, copies; as QLinear operators, or with QuantizeLinear and
// DequantizeLinear around float operators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/tensor.h"

namespace burin {

struct ByteGraph {
  std::string model;  // an ONNX file
  std::vector<HostTensor> inputs;
  std::string says;  // its layers in a line
  // All of its arithmetic before a rounding to bytes is that of one operator (QLinear): the
  // interpreter of the unfused graph gives the bytes.
  bool exact = false;
  // It sums floats, whose order is free: trees agree with each other, not with the interpreter.
  bool float_sums = false;
};

// Graph number `seed`: 1 to 6 layers, channels from 1 to 70, odd sizes, at most some million
// multiplications.
ByteGraph byte_graph(uint64_t seed);

}  // namespace burin
