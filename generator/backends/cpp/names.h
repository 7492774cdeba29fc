// The names of an emitted tree: where raw text of the model becomes identifiers, once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/model_plan.h"
#include "render/identifier.h"

namespace burin::cpp {

struct TreeNames {
  Identifier model;                      // prefix of everything exported
  std::string macro;                     // the same in capitals
  std::map<ValueId, Identifier> values;  // fields of inputs and outputs; names of offsets
  std::map<std::string, Identifier> symbols;

  const Identifier& value(ValueId id) const { return values.at(id); }
  const Identifier& symbol(const Symbol& symbol) const { return symbols.at(symbol->name); }
};

inline constexpr size_t kLongestTreeName = 32;  // names of exported functions add to it

// Whether a tree can have this name as it is.
bool is_tree_name(std::string_view name);

// Refused (name-collision) when two names cannot be told apart.
TreeNames name_everything(const ModelPlan& plan);

}  // namespace burin::cpp
