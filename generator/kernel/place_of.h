// The nodes of the model behind steps and values: where a refusal of a late stage belongs.
#pragma once

#include <utility>
#include <vector>

#include "kernel/kernel.h"
#include "support/diagnostics.h"

namespace burin {

// The nodes that a step stands for.
const Origins& origins_of(const Step& step);
Origins& origins_of(Step& step);

// The first node that the step stands for: "node 'conv1'" (Conv).
Location place_of(const Origins& origins);
Location place_of(const Step& step);

// A value of the graph: as an input, a constant, or an output of the node that makes it, which is
// the last one that a fused step stands for.
Location place_of(const KernelGraph& graph, ValueId id);

// Runs body; what it refuses gets place(), which is asked only then.
template <class Place, class Body>
decltype(auto) at_place(Place&& place, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (Refused& refused) {
    fill_location(refused, place());
    throw;
  }
}

}  // namespace burin
