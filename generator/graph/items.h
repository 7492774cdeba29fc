// Sequences and optionals that the caller gives, however long they are: import makes tensors of
// them (kernel/packed_value.h) and a node `Items` that puts these together, so that every input of
// a Graph is a tensor.
#pragma once

#include <string>

#include "graph/copy.h"

namespace burin {

inline constexpr const char* kItemsOp = "Items";
// Of the node: the dimensions along which each tensor has an extent of its own, ascending; whether
// what it makes is an optional.
inline constexpr const char* kItemsAxes = "axes";
inline constexpr const char* kItemsOptional = "optional";

inline std::string extents_name(const std::string& items) { return items + "_extents"; }

}  // namespace burin
