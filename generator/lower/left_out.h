// Operators that burin leaves out on purpose: what to do instead.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace burin {

// Empty: it is not one of them.
std::string_view instead_of(const Node& node);

}  // namespace burin
