// Bytes that come into caches while a program runs.
#pragma once

#include "cost/work.h"

namespace burin::cost {

// Bytes that are touched of each buffer in memory.
using Footprint = std::map<loops::BufferId, int64_t>;

struct Moved {
  Footprint once;             // by the whole program
  std::vector<int64_t> into;  // each cache: every byte that is touched at least once
};
Moved bytes_moved(const Work& work, Known& known);

}  // namespace burin::cost
