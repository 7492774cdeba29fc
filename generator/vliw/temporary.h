// Vector loads whose value is read in their own packet and nowhere else. As `.tmp` they show it to
// that packet and write no register, so they take the load unit only and leave the four compute
// units to the packet's products.
#pragma once

#include <vector>

#include "vliw/assembly.h"
#include "vliw/loop_graph.h"
#include "vliw/packet.h"

namespace burin::vliw {

// Per instruction of a loop body: how many instructions of its iteration read what it loads, where
// it is a vector load whose value nobody else reads, in no later iteration and not `behind` the
// loop; else 0. O(body * registers of a load).
std::vector<int> lone_readers(const std::vector<Instruction>& body, const RegisterSet& behind);

// The load as `.tmp`; its form is null where there is none.
Instruction as_temporary(const Instruction& load, const Machine& machine);

// The body with such a load again, to a free register, for readers that one packet does not take.
std::vector<Instruction> with_loads_again(const std::vector<Instruction>& body,
                                          const RegisterSet& behind, Resources& resources,
                                          RegisterSet& free);

// Edges that put such loads into one packet with all that read them, where a packet takes these.
// Returns how many loads that are.
int keep_together(LoopGraph& graph, const std::vector<Instruction>& body,
                  const std::vector<int>& readers, Resources& resources);

}  // namespace burin::vliw
