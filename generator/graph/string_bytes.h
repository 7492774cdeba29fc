// Strings as bytes: each a row of UTF-8 with zeros behind.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace burin {

// The bytes of the longest string that a graph has in its constants and in lists of its attributes,
// those of nested blocks included.
int64_t longest_string(const Graph& graph);

// `each` bytes for every string, row by row. Refused (unsupported-feature): a string is longer, or
// has a zero byte in it.
Constant bytes_of(const std::vector<std::string>& strings, int64_t each);

}  // namespace burin
