#include "select/tiles/prefetch.h"

#include <algorithm>

#include "cost/issue.h"
#include "hardware/capabilities.h"

namespace burin {

int prefetch_bytes(const Tile& tile, const StreamedPanels& panels, const Hardware& hardware,
                   const std::optional<int64_t>& given) {
  constexpr int64_t kTwice = 2;  // what comes later than it usually does
  const int latency = hardware.memory.latency_cycles;
  if (latency == 0 || has_device(hardware)) return 0;
  const std::vector<Cache>& caches = hardware.memory.caches;
  if (!caches.empty() &&
      panels.bytes <= caches[std::min(panels.found_in, caches.size() - 1)].size_bytes)
    return 0;
  if (given && *given >= 1 && *given <= kMostPrefetchBytes) return static_cast<int>(*given);
  const int64_t step = std::max<int64_t>(
      1, cost_of_step(tile.rows, tile.vectors, tile.accumulators, hardware.vector));
  const int64_t steps = (kTwice * latency * cost::kCycle + step - 1) / step;
  const int64_t bytes = steps * (panels.of_rows ? tile.rows : tile.columns()) * 4;
  return static_cast<int>(std::min(bytes, kMostPrefetchBytes));
}

}  // namespace burin
