// Graph: an ONNX model as a value, after import and before lowering.
//
// All values of a model, those of nested blocks included, live in one table, so that a reference to
// an outer scope is an ordinary id. Blocks hold nodes in an order that respects data. Names are raw
// text of the model and never reach emitted code unencoded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernel/kernel.h"
#include "support/diagnostics.h"

namespace burin {

using GraphValueId = int;
inline constexpr GraphValueId kAbsent = -1;  // an optional input or output that is left out

// A constant of the model: an initializer or a tensor attribute.
struct Tensor {
  Type type = Type::none;
  std::vector<int64_t> shape;
  Constant content;
  std::vector<std::string> strings;            // of type string
  bool operator==(const Tensor& other) const;  // compares contents
  int64_t elements() const;
};

struct Block;
// A value's type as the file declares it: a tensor, or something that burin refuses by name.
struct Attribute {
  std::string name;
  std::variant<int64_t, float, std::string, Tensor, std::shared_ptr<const Block>,
               std::vector<int64_t>, std::vector<float>, std::vector<std::string>>
      value;
};

struct GraphValue {
  std::string name;
  Type type = Type::none;                 // none: not declared
  std::optional<std::vector<Dim>> shape;  // as declared; nullopt: not even the rank
  std::optional<Tensor> constant;         // of an initializer
  std::string container;                  // "sequence" or "optional" where it is not a tensor
};

struct Node {
  std::string name;                           // may be empty or not unique
  std::string op;                             // "Conv"
  std::string domain;                         // "" is ai.onnx
  int version = 0;                            // opset of its domain
  int number = 0;                             // position in the file, for diagnostics
  std::vector<GraphValueId> inputs, outputs;  // kAbsent where left out
  std::vector<Attribute> attributes;          // in the order of the file
  const Attribute* find(std::string_view attribute) const;
};

struct Block {
  std::string name;
  std::vector<Node> nodes;                    // topologically sorted
  std::vector<GraphValueId> inputs, outputs;  // formal inputs and results, in order
};

struct Graph {
  std::string name;  // of the model's graph; raw text
  std::string file;  // as the user gave it, for diagnostics
  std::vector<GraphValue> values;
  Block block;                  // inputs: without those that are initializers
  std::vector<Symbol> symbols;  // dim_param names, in order of appearance in the inputs
  int ir_version = 0;
  std::vector<std::string> notes{};  // what import tells of the file; no part of what it computes
  std::string sha256{};              // of the file as it was read; neither
};

// "node 17 'conv1'" as diagnostics name it.
Location locate(const Node& node);

// Text round trip: parse(to_string(g)) == g, constants up to `longest` elements in full and larger
// ones by hash (such text does not parse). For dumps and tests.
std::string to_string(const Graph& graph, int64_t longest = 64);
Graph parse_graph(std::string_view text);  // refuses with line:column
bool operator==(const Graph& a, const Graph& b);

// Invariants: every id defined before use, one definition per value, blocks sorted. A failed check.
void check_graph(const Graph& graph);

}  // namespace burin
