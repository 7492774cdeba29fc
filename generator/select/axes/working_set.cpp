#include "select/axes/working_set.h"

#include <algorithm>

namespace burin {

int64_t working_set_bytes(const Memory& memory) {
  if (memory.caches.empty()) return 0;
  const Cache& cache = memory.caches[std::min<size_t>(1, memory.caches.size() - 1)];
  return cache.size_bytes / std::max(1, cache.shared_by_threads) / 2;
}

}  // namespace burin
