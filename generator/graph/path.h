// Where a node lies in a model: through the blocks and calls around it, outermost first.
#pragma once

#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace burin {

struct PathPlace {
  int number = 0;  // of the node in its block or function
  std::string_view name, op;
  std::string_view attribute{};  // whose block is entered; empty for a function's nodes
};

// "node 3 'loop' 'body' > node 0 'add'": a long path is shortened in the middle. `op` is that of
// the innermost node.
Location locate(const std::vector<PathPlace>& path);

}  // namespace burin
