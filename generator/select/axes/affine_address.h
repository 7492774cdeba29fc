// Addresses as constant + sum of stride * axis: what packing reads natively.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

struct AffineAddress {
  int64_t base = 0;
  std::vector<int64_t> strides;  // by axis of the kernel
};

// nullopt: it is something else. O(terms).
std::optional<AffineAddress> affine_address(const Index& address, size_t axes);

}  // namespace burin
