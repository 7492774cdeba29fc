#include "cost/cost.h"

#include <algorithm>

#include "cost/traffic.h"
#include "cost/work.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {
namespace {

// Cycles in which so many bytes come into cache number `k`.
int64_t cycles_of_moving(int64_t bytes, size_t k, const Hardware& hardware) {
  const std::vector<Cache>& caches = hardware.memory.caches;
  if (k + 1 < caches.size()) return bytes / std::max(1, caches[k + 1].bandwidth_bytes_per_cycle);
  if (hardware.memory.bandwidth_mb_per_s <= 0) return 0;
  return bytes * std::max(1, hardware.clock_mhz) / hardware.memory.bandwidth_mb_per_s;
}

}  // namespace

Cost cost_of(const loops::Program& program, const Hardware& hardware, const Question& question) {
  const Work work(program, hardware, question);
  Cost out;
  out.arithmetic = work.cycles();
  const Footprint once = footprint_of(program, work, hardware, question.size);
  int64_t all = 0, stored = 0, far = 0;
  for (const auto& [buffer, bytes] : once) {
    const loops::Buffer& one = program.buffers[at(buffer)];
    all += bytes;
    if (one.written) stored += bytes;
    if (one.scope == loops::Scope::argument && question.from_afar && question.from_afar(one.value))
      far += bytes;
  }
  const std::vector<Cache>& caches = hardware.memory.caches;
  for (size_t k = 0; k < caches.size(); ++k) {
    const int64_t size = caches[k].size_bytes,
                  bytes = bytes_into(size, program, work, hardware, question.size);
    out.moved.push_back(bytes);
    // What has room is there already, but for what others have pushed out since. What is stored
    // comes and goes.
    const int64_t moving = all > size ? bytes + stored : question.bytes_between > size ? far : 0;
    out.memory = std::max(out.memory, cycles_of_moving(moving, k, hardware));
  }
  return out;
}

std::vector<int64_t> turns_of_loops(const loops::Program& program, const Hardware& hardware,
                                    const Question& question) {
  const Work work(program, hardware, question);
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
