// Which values share bytes, and which copies need not run.
//
// A group is a set of values with fixed distances. Values of a group overlap freely; what keeps
// that correct is one rule about real writes (those of copies that are dropped are none): where a
// step writes one value, no other value that overlaps it in bytes may be held, except an operand
// that ends there and that the kernel reads, at every point, only where it then writes
// (in_place_delta). So nothing that is still needed is ever destroyed, and a dropped copy finds
// what it would have copied in its place.
//
// Greedy in the order of positions, copies first, then results over operands; a merge that would
// raise the largest sum of live bytes (at the hints) is not made; at the end copies that are left
// may raise it a little.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "plan/memory/lifetime.h"
#include "plan/memory/memory_plan.h"

namespace burin {

// `other_bytes` by position: what else is live there (scratch), at the hints. `lives` are held as
// the rules want them.
SharedBytes share_bytes(const KernelGraph& graph, const std::vector<Position>& positions,
                        const std::vector<Lifetime>& lives, std::vector<int64_t> other_bytes,
                        const MemoryOptions& options);

}  // namespace burin
