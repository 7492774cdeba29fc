// Which memory accesses of a block may touch the same bytes. An address is a root (the value that a
// register had at some point) plus a constant; additions of constants and post-increments keep the
// root. Different roots, unknown sizes and unknown addresses always may touch.
#pragma once

#include <cstdint>
#include <vector>

#include "vliw/blocks.h"

namespace burin::vliw {

struct Access {
  bool load = false, store = false;
  bool known = false;
  int root = 0;
  int64_t low = 0, high = 0;  // bytes [low, high) from the root
  bool aligned_vector = false;
  int64_t start = 0;  // the address before alignment
};

// Accesses of each unit, in order.
std::vector<std::vector<Access>> accesses_of(const Block& block);

bool may_touch(const Access& a, const Access& b);

}  // namespace burin::vliw
