// SoD2 section 3: the dynamism class of a node.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "ops/api/core/op_context.h"

namespace burin {

// Whether a node has graphs of its own, of which the run decides what runs: such a node is EDO.
bool has_block(const Node& node);

// Of any other: read off what lowering the node gave, so that it follows whatever has become
// constant:
//   EDO     a procedure finds a size of an output
//   ISVDOS  a size of an output is an expression of elements that the run loads
//   ISDO    nothing that the run computes is loaded: sizes alone decide the contents too
//   ISDOS   everything else
std::string dynamism_class(const Steps& steps, const std::vector<Operand>& outputs,
                           const std::vector<Value>& values);

}  // namespace burin
