// Ways to pack one block. Each takes the block's graph and gives a schedule; all are deterministic.
#pragma once

#include <cstdint>

#include "vliw/block_schedule.h"

namespace burin::vliw {

enum class Policy {
  kSda,         // GCD2 Algorithm 1
  kSoftToHard,  // the same, soft dependences never share a packet
  kSoftToNone,  // the same without the penalty of line 28
  kList,        // critical-path list scheduling
  kBest,        // the best of all, and optimal where the search ends in time
};

struct BlockProblem {
  const Block& block;
  const Graph& graph;
  const PacketMaker& maker;
  const Machine& machine;
  PacketShape last;  // of the block's last packet
};

// GCD2 section IV-C, Algorithm 1 with Equation 4, bottom-up. w is the weight of Equation 4.
Schedule pack_sda(const BlockProblem& problem, Policy policy, double w);

// Top-down: at each cycle the ready units with the longest way to the end first. Registers are
// allocated when this runs, so no schedule can run out of them; what pressure is left is that of
// names: a value keeps its register from its write to its last read, and the next write of that
// register waits for the read. With `pressure`, while many names are taken, units that free more
// than they take go first among those of about the same height.
struct ListOptions {
  bool pressure = false;
  bool in_order = true;  // packets with a load behind a store (:mem_noshuf)
};
Schedule pack_list(const BlockProblem& problem, const ListOptions& options = {});

// Cycles and packets that no schedule can go below.
struct Bound {
  int packets = 0;
  int cycles = 0;
};
Bound lower_bound(const BlockProblem& problem);

// Packets that these units need by counting words, slots and HVX units alone.
int counting_bound(const std::vector<Unit>& units, const Machine& machine);

struct ExactResult {
  Schedule schedule;
  bool optimal = false;  // fewest cycles, then fewest packets, among all schedules of the model
  int64_t nodes = 0;
};

// Branch and bound from an incumbent; for blocks of up to 64 units.
ExactResult pack_exact(const BlockProblem& problem, const Schedule& incumbent, int64_t node_limit);

// Longest way, in cycles, from each unit to the end of the block; soft edges count nothing.
std::vector<int> heights(const Graph& graph);

}  // namespace burin::vliw
