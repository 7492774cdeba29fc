// Tensors of drawn bytes, often at the ends of their range, and tensors as a model holds them.
#pragma once

#include <string>
#include <vector>

#include "kernel/tensor.h"
#include "support/numbers.h"

namespace burin {

inline HostTensor drawn_bytes(Type type, const std::vector<int64_t>& shape, uint64_t seed) {
  Numbers numbers(seed);
  HostTensor out = make_tensor(type, shape);
  for (int64_t i = 0; i < out.elements(); ++i) {
    const bool end = numbers.below(8) == 0;
    out.set(i, {0, end ? (numbers.below(2) ? lowest(type) : highest(type))
                       : lowest(type) + static_cast<int64_t>(numbers.below(256))});
  }
  return out;
}

inline std::string raw_bytes(const HostTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
}

}  // namespace burin
