// Inputs whose values are fixed while generating.
#pragma once

#include "graph/graph.h"

namespace burin {

// The graph with input `input` replaced by a constant: it is no longer an input, and whatever its
// contents decide (axes, steps, sizes) is known while generating. `tensor` must have the input's
// type and fit its declared shape; refused otherwise.
Graph hold_input(Graph graph, GraphValueId input, Tensor tensor);

}  // namespace burin
