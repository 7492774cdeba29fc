#include "cost/cost.h"

#include <algorithm>

#include "cost/traffic.h"
#include "cost/work.h"
#include "loops/walk.h"

namespace burin::cost {

Cost cost_of(const loops::Program& program, const Hardware& hardware, const SizeOf& size) {
  const Work work(program, hardware, size);
  Cost out;
  out.arithmetic = work.cycles();
  const std::vector<Cache>& caches = hardware.memory.caches;
  for (size_t k = 0; k < caches.size(); ++k) {
    const int64_t bytes = bytes_into(caches[k].size_bytes, program, work, hardware, size);
    out.moved.push_back(bytes);
    int64_t cycles = 0;
    if (k + 1 < caches.size()) {
      cycles = bytes / std::max(1, caches[k + 1].bandwidth_bytes_per_cycle);
    } else if (hardware.memory.bandwidth_mb_per_s > 0) {
      cycles = bytes * std::max(1, hardware.clock_mhz) / hardware.memory.bandwidth_mb_per_s;
    }
    out.memory = std::max(out.memory, cycles);
  }
  return out;
}

std::vector<int64_t> turns_of_loops(const loops::Program& program, const Hardware& hardware,
                                    const SizeOf& size) {
  const Work work(program, hardware, size);
  std::vector<int64_t> out;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    if (loop == nullptr) return;
    const auto found = work.runs().find(loop);
    out.push_back(found == work.runs().end() ? 0 : found->second.turns);
  });
  return out;
}

}  // namespace burin::cost
