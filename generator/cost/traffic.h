// Bytes that come into caches while a program runs.
#pragma once

#include "cost/work.h"

namespace burin::cost {

// Bytes that are touched of each buffer in memory.
using Footprint = std::map<loops::BufferId, int64_t>;
Footprint footprint_of(const loops::Program& program, const Work& work, const Hardware& hardware,
                       const SizeOf& size);

// For a cache of so many bytes: what comes into it, every byte that is touched at least once.
int64_t bytes_into(int64_t cache_bytes, const loops::Program& program, const Work& work,
                   const Hardware& hardware, const SizeOf& size);

}  // namespace burin::cost
