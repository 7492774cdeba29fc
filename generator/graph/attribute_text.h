// Attributes of a node as one line for people: "group=64, pads=[1, 1, 1, 1]".
#pragma once

#include <string>

#include "graph/graph.h"

namespace burin {

// In the order of the file; long lists and words are cut ("..."), tensors and blocks are told by
// their kind. Raw text of the model. Of bounded length, whatever the node has.
std::string attributes_text(const Node& node);

}  // namespace burin
