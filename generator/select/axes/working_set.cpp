#include "select/axes/working_set.h"

#include <algorithm>

namespace burin {

int64_t working_set_bytes(const Memory& memory, size_t cache) {
  if (memory.caches.empty()) return 0;
  const Cache& one = memory.caches[std::min(cache, memory.caches.size() - 1)];
  return one.size_bytes / std::max(1, one.shared_by_threads) / 2;
}

}  // namespace burin
