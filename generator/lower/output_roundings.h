// How often each output of a model has been rounded (kernel/symbolic/roundings.h).
#pragma once

#include <vector>

#include "graph/graph.h"
#include "kernel/symbolic/roundings.h"

namespace burin {

// Of `lowered`, which `graph` became, before anything is fused: in the order of the outputs.
std::vector<Roundings> output_roundings(const Graph& graph, const KernelGraph& lowered);

// The narrowest of f16 and bf16 that numbers are rounded to on their way to each output, where
// there is one: nodes that share a kernel leave that out, so results are as far apart as these are,
// also where the last node widens them (models in fp16 whose inputs and outputs stayed floats).
// none: nothing is. Of the steps of `lowered`, to a fixpoint.
std::vector<Type> narrowest_output_types(const KernelGraph& lowered);

}  // namespace burin
