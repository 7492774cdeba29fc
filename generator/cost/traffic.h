// Bytes that come into caches while a program runs.
#pragma once

#include "cost/work.h"

namespace burin::cost {

// For a cache of so many bytes: what comes into it, every byte that is touched at least once.
int64_t bytes_into(int64_t cache_bytes, const loops::Program& program, const Work& work,
                   const Hardware& hardware, const SizeOf& size);

}  // namespace burin::cost
