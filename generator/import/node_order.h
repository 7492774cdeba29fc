// The order of nodes in a block.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace burin {

// ONNX wants nodes sorted by data. A block that is not gets the order that is nearest to the
// file's: of all nodes whose inputs are there, the first in the file comes next. What blocks inside
// a node use of this block counts as its input. A cycle is refused as "graph", with one of its
// nodes. O(nodes + references), and a logarithm more where nodes move.
void order_nodes(Block& block, const std::vector<GraphValue>& values);

}  // namespace burin
