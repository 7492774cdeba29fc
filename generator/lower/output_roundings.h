// How often each output of a model has been rounded (kernel/symbolic/roundings.h).
#pragma once

#include <vector>

#include "graph/graph.h"
#include "kernel/symbolic/roundings.h"

namespace burin {

// Of `lowered`, which `graph` became, before anything is fused: in the order of the outputs.
std::vector<Roundings> output_roundings(const Graph& graph, const KernelGraph& lowered);

}  // namespace burin
