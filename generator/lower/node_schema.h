// Checks of a node against its operator's declaration at the node's opset: arity, attribute names
// and kinds, element types. What another opset has is refused, because it would mean nothing here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// The definition that `node` stands for; refused by name when burin does not know it.
const OpDef& find_definition(const Node& node);
void check_arity(const Node& node, const OpDef& def);
// Gives what is told of attributes that are read as if they were left out.
std::vector<std::string> check_attributes(const Node& node, const OpDef& def);
// `inputs`: empty operands where they are absent.
void check_types(const Node& node, const OpDef& def, const std::vector<Operand>& inputs,
                 const std::function<bool(const Operand&)>& stands_for_strings);
// "input 'X'", for a refusal about input i.
std::string input_label(const Node& node, const OpDef& def, size_t i);

}  // namespace burin
