#include "select/tiles/ahead.h"

#include <algorithm>

#include "cost/issue.h"
#include "hardware/capabilities.h"

namespace burin {

int bytes_ahead(const Tile& tile, const StreamedPanels& panels, const Hardware& hardware,
                const Given& given) {
  constexpr int64_t kTwice = 2;  // what comes later than it usually does
  const int latency = hardware.memory.latency_cycles;
  if (latency == 0 || has_device(hardware) || !given.may("prefetch")) return 0;
  const std::vector<Cache>& caches = hardware.memory.caches;
  if (!caches.empty() &&
      panels.bytes <= caches[std::min(panels.found_in, caches.size() - 1)].size_bytes)
    return 0;
  const std::vector<int64_t>* const numbers = given.numbers("prefetch");
  if (numbers != nullptr && (*numbers)[0] >= 1 && (*numbers)[0] <= kMostBytesAhead)
    return static_cast<int>((*numbers)[0]);
  const int64_t step = std::max<int64_t>(
      1, cost_of_step(tile.rows, tile.vectors, tile.accumulators, hardware.vector));
  const int64_t steps = (kTwice * latency * cost::kCycle + step - 1) / step;
  const int64_t bytes = steps * (panels.of_rows ? tile.rows : tile.columns()) * 4;
  return static_cast<int>(std::min(bytes, kMostBytesAhead));
}

}  // namespace burin
