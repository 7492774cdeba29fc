#include "cost/cost.h"

#include <algorithm>

#include "cost/traffic.h"
#include "cost/work.h"
#include "kernel/index/index_node.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {
namespace {

// Cycles in which so many bytes come into cache number `k` of one of so many threads, which share
// memory.
int64_t cycles_of_moving(int64_t bytes, size_t k, int threads, const Hardware& hardware) {
  const std::vector<Cache>& caches = hardware.memory.caches;
  if (k + 1 < caches.size()) return bytes / std::max(1, caches[k + 1].bandwidth_bytes_per_cycle);
  const int64_t megabytes = hardware.memory.bandwidth_mb_per_s;
  if (megabytes <= 0) return 0;
  return saturating_mul(saturating_mul(bytes, threads), std::max(1, hardware.clock_mhz)) /
         megabytes;
}

}  // namespace

struct Costs::Of {
  // What the statements of one call take, wherever its tensors are.
  struct Call {
    int64_t arithmetic = 0, one_by_one = 0;
    Moved moved;
  };
  Known known;
  std::map<std::vector<int64_t>, Call> calls;  // by the ends of its parts
};

Costs::Costs(const loops::Program& program, const Hardware& hardware, SizeOf size)
    : known_(new Of{Known(program, hardware, std::move(size)), {}}) {}
Costs::~Costs() = default;

Cost Costs::of(const Question& question) {
  const loops::Program& program = known_->known.program;
  const Hardware& hardware = known_->known.hardware;
  const std::vector<Cache>& caches = hardware.memory.caches;
  std::vector<int64_t> key{question.one_call};
  for (const Range& part : question.parts) key.insert(key.end(), {part.lo, part.hi});
  const auto [found, is_new] = known_->calls.try_emplace(std::move(key));
  Of::Call& call = found->second;
  if (is_new) {
    const Work work(known_->known, question);
    call.arithmetic = work.cycles();
    call.one_by_one = work.cycles_one_by_one();
    call.moved = bytes_moved(work, known_->known);
  }
  Cost out;
  out.arithmetic = call.arithmetic;
  out.one_by_one = call.one_by_one;
  out.moved = call.moved.into;
  int64_t stored = 0, far = 0;  // what is stored comes, and goes
  for (const auto& [buffer, bytes] : call.moved.once) {
    const loops::Buffer& one = program.buffers[at(buffer)];
    out.touched += bytes;
    if (one.written) stored += bytes;
    if (one.scope == loops::Scope::argument && question.from_afar && question.from_afar(one.value))
      far += one.written ? 2 * bytes : bytes;
  }
  for (size_t k = 0; k < caches.size(); ++k) {
    const int64_t size = caches[k].size_bytes;
    // What has room is there already, but for what others have pushed out since.
    const int64_t moving = out.touched > size              ? out.moved[k] + stored
                           : question.bytes_between > size ? far
                                                           : 0;
    out.memory += cycles_of_moving(moving, k, question.threads, hardware);
  }
  return out;
}

Cost cost_of(const loops::Program& program, const Hardware& hardware, const Question& question,
             const SizeOf& size) {
  return Costs(program, hardware, size).of(question);
}

std::vector<int64_t> turns_of_loops(const loops::Program& program, const Hardware& hardware,
                                    const Question& question, const SizeOf& size) {
  Known known(program, hardware, size);
  const Work work(known, question);
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
