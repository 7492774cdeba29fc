// Branches whose results have different ranks: what follows from these goes into the branches, so
// that each has it for its own rank.
#pragma once

#include "graph/graph.h"
#include "lower/lower.h"

namespace burin {

// Of top-level node `at`, which has two nested graphs without inputs: copies of all later nodes
// that need its outputs, into both; it gives what the graph's outputs need of them instead. False:
// it is no such node, nothing follows, or that is too much.
bool put_rest_into_branches(Graph& graph, size_t at);

// The passes, until no equation says more (rounds.cpp). lower() is this; where a node is refused
// because its branches give different ranks, once more with what follows inside of them.
Lowered lower_rounds(const Graph& graph, const LowerOptions& options);

}  // namespace burin
