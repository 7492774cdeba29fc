// Branch and bound for packing at a fixed capacity, after MiniMalloc (Moffitt, "MiniMalloc: a
// lightweight memory allocator for hardware-accelerated machine learning"). Every rule keeps the
// solution whose sum of offsets is least, if there is a solution:
//  - canonical solutions: every buffer rests on the ground or on another one;
//  - monotonic floor: what is placed next starts lowest of all that is left, so nothing ever goes
//  below
//    what is placed;
//  - sections: between two changes of the live set, the lowest start of what is still to come plus
//  the
//    sum of its sizes must not exceed the capacity;
//  - dominance: no buffer may be left that would fit below everything else that is left;
//  - decomposition: what no unplaced buffer connects in time is solved separately;
//  - equal buffers (size and lifetime) are placed in one order only.
// Unlike there, a node has two branches that exclude each other: the chosen buffer starts where it
// can start lowest, or above that, and then on top of a buffer that is still to come. The buffer is
// chosen from the section with the least slack. Several static orders break ties, with a restart
// under a growing node limit and shaken ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/packing/buffer_packing.h"

namespace burin {

enum class SearchResult : uint8_t { solved, infeasible, out_of_nodes };

struct SearchOutcome {
  SearchResult result = SearchResult::out_of_nodes;
  std::vector<int64_t> offsets;  // when solved
  int64_t nodes = 0;
};

// Is there a packing of at most `capacity`? O(n + members of the sections touched) per node. Every
// buffer is live somewhere and has a size above 0.
SearchOutcome search_buffer_packing(const std::vector<LiveBuffer>& buffers, int64_t capacity,
                                    int64_t node_budget);

}  // namespace burin
