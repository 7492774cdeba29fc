// Strings as bytes: each a row of UTF-8 with zeros behind.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace burin {

// Of a string in a tree, and of all strings of a constant together.
inline constexpr int64_t kMostStringBytes = 65536;
inline constexpr int64_t kMostBytesOfStrings = int64_t{1} << 30;

// The bytes of the longest string that a graph has in its constants and in lists of its attributes,
// those of nested blocks included.
int64_t longest_string(const Graph& graph);

// `each` bytes for every string, row by row. Refused: a string is longer, or has a zero byte in it
// (unsupported-feature); all together are too many (limit).
Constant bytes_of(const std::vector<std::string>& strings, int64_t each);

}  // namespace burin
