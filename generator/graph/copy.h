// An operator that is burin's own and not of the file: its output is its input. import makes
// such nodes where a result of a function is one of its operands; they mean the same whatever
// operator sets the file has.
#pragma once

#include <string>

#include "graph/graph.h"

namespace burin {

// No file can have nodes of it: import/versions.cpp does not know it.
inline constexpr const char* kOwnDomain = "burin.import";
inline constexpr const char* kCopyOp = "Copy";

inline Node copy_node(std::string name, int number, GraphValueId from, GraphValueId to) {
  Node node;
  node.name = std::move(name);
  node.op = kCopyOp;
  node.domain = kOwnDomain;
  node.version = 1;
  node.number = number;
  node.inputs = {from};
  node.outputs = {to};
  return node;
}

}  // namespace burin
