// Several models beside each other as one.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace burin {

struct GraphPart {
  std::string prefix;  // of all names that come from its file
  Graph graph;
};

// Inputs, outputs, nodes and sizes of all, those of the first part first. Nothing connects the
// parts. Prefixes differ, and so that no two names can become one; a failed check otherwise.
Graph merge_graphs(std::vector<GraphPart> parts, std::string name);

}  // namespace burin
