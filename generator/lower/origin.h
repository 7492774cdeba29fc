// What a node is called in comments, figures and refusals.
#pragma once

#include "graph/graph.h"
#include "kernel/kernel.h"

namespace burin {

// By its name, or by its first output where it has none.
inline Origin origin_of(const Node& node, const Graph& graph) {
  if (!node.name.empty() || node.outputs.empty() || node.outputs[0] == kAbsent)
    return {node.name, node.op};
  return {graph.values[static_cast<size_t>(node.outputs[0])].name, node.op};
}

}  // namespace burin
