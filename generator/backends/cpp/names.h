// The names of an emitted tree: where raw text of the model becomes identifiers, once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/model_plan.h"
#include "render/identifier.h"
#include "render/text.h"

namespace burin::cpp {

// Where the files of a network lie in its tree; several networks may have one tree
// (backends/cpp/network.h).
struct TreePlaces {
  Identifier tree;              // the tree's own network
  Identifier kernels;           // the namespace that declares the kernels
  std::string weights;          // the file
  int64_t weights_offset = -1;  // of this network's own file in it; -1: it is that file
  int64_t weights_bytes = 0;    // of that own file
  int number = 0;               // of the network: 0 for the tree's own
  std::string test = "test/";   // folder of its self-test
  std::string report = "REPORT.md";
};

struct TreeNames {
  Identifier model;                           // prefix of everything exported
  std::string macro;                          // the same in capitals
  std::map<ValueId, Identifier> values;       // fields of inputs and outputs; names of offsets
  std::map<std::string, Identifier> symbols;  // fields of sizes; what reports call a size
  std::map<std::string, Identifier> locals;   // the same as variables, among those of a function
  std::map<StepId, Identifier> scratch;       // offsets of steps' scratch
  std::map<StepId, Identifier> strides;       // from the scratch of one worker to the next
  TreePlaces places;

  const Identifier& value(ValueId id) const { return values.at(id); }
  const Identifier& symbol(const Symbol& symbol) const { return symbols.at(symbol->name); }
  const Identifier& local(const Symbol& symbol) const { return locals.at(symbol->name); }
};

// What marks a context of network `number` of the tree: from its content, which the header of the
// network with these names has.
Code ready_mark(const TreeNames& names, int number);

// One of the networks that the tree's own runs.
inline bool is_part(const TreeNames& names) { return names.places.weights_offset >= 0; }

inline constexpr size_t kLongestTreeName = 32;  // names of exported functions add to it

// The prefix of a network that is called so; raw text, which may be empty.
Identifier tree_name(std::string_view raw);

// NAME: what macros and options of a build begin with.
std::string capitals(const Identifier& name);

// NAME_H, which no name of a model in that tree is.
Code include_guard(const Identifier& name);

// Whether a tree can have this name as it is.
bool is_tree_name(std::string_view name);

// The ending of `name` by which it is also that of something of another tree: of `net_content`,
// whose header would be one of `net`. Empty for none.
std::string_view ending_of_trees(std::string_view name);

// Refused as name-collision: names of networks from which one tree would make an identifier, a
// macro or a file twice.
void refuse_name_collisions(const std::vector<std::string>& names);

// Refused (name-collision) when two names cannot be told apart.
TreeNames name_everything(const ModelPlan& plan);

}  // namespace burin::cpp
