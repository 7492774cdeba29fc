#include "select/integers/ahead.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "select/tiles/prefetch.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"

namespace burin {

void ask_ahead(IntegerPlan& plan, const std::vector<Value>& values, const RowTiming& timing,
               const Hardware& hardware) {
  plan.reads_late = hardware.vector.vector_bytes > 0;
  constexpr int64_t kTwice = 2;  // what comes later than it usually does
  const int64_t latency = hardware.memory.latency_cycles;
  if (latency == 0 || hardware.memory.caches.empty() || has_device(hardware)) return;
  const int64_t nearest = hardware.memory.caches[0].size_bytes;
  const auto bytes_of = [&](ValueId id) {
    const Value& value = values[at(id)];
    return size_bytes(value.type, at_hints(product(value.shape)));
  };
  const bool of_rows = plan.a.packed != kNoValue;
  const ValueId panels = of_rows ? plan.a.packed : plan.b.packed;
  if (panels != kNoValue && bytes_of(panels) > nearest) {
    const int64_t step = std::max(1, plan.tile_rows * plan.vectors / timing.per_cycle),
                  steps = (kTwice * latency + step - 1) / step,
                  each = int64_t{of_rows ? plan.tile_rows : plan.tile_columns()} * plan.group *
                         size_bytes(of_rows ? plan.a.type : plan.b.type, 1);
    plan.panels_ahead = std::min(steps * each, kMostPrefetchBytes);
  }
  plan.results_ahead =
      !plan.window && plan.m >= 0 && plan.n >= 0 && bytes_of(plan.kernel.writes[0].to) > nearest;
}

}  // namespace burin
