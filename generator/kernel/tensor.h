// HostTensor: a tensor in the generator's own memory, row-major and little-endian as ONNX stores
// it, and access to single elements of every type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/expr/scalar.h"
#include "kernel/expr/type.h"
#include "kernel/kernel.h"

namespace burin {

struct HostTensor {
  Type type = Type::none;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;  // size_bytes(type, elements()); 4-bit elements low half first

  int64_t elements() const;  // a failed check when the product exceeds 64 bits
  // Element number `element` in row-major order, as a value of the compute type.
  ScalarValue get(int64_t element) const;
  void set(int64_t element, ScalarValue value);        // rounded as a write does
  bool operator==(const HostTensor&) const = default;  // compares bits
};

// All bits zero.
HostTensor make_tensor(Type type, std::vector<int64_t> shape);
// Numbers of any C++ type, converted to `type`.
HostTensor make_tensor(Type type, std::vector<int64_t> shape, const std::vector<double>& numbers);
HostTensor make_tensor(Type type, std::vector<int64_t> shape, const std::vector<int64_t>& numbers);
// `constant` must have as many bytes as type and shape say.
HostTensor to_tensor(Type type, std::vector<int64_t> shape, const Constant& constant);
// The elements of a constant value of any layout, without its padding.
HostTensor to_row_major(const Value& constant);
Constant to_constant(const HostTensor& tensor);

// Access to raw memory, for who reads one tensor many times. Not for strings.
using LoadFunction = ScalarValue (*)(const std::byte* data, int64_t element);
using StoreFunction = void (*)(std::byte* data, int64_t element, ScalarValue value);
LoadFunction load_function(Type storage);
StoreFunction store_function(Type storage);

}  // namespace burin
