// From messages to a Graph: scopes, blocks, nodes, attributes and calls of the model's own
// functions.
//
// All values get their ids when a block is entered, before its nodes are read, so that names
// resolve whatever the order of nodes; the order is then checked, and mended where it can be
// (node_order.h). Names are those of the file, as views: a name is looked up in the innermost scope
// that has it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/path.h"
#include "import/file_tensor.h"
#include "import/fresh_names.h"
#include "import/symbols.h"
#include "import/versions.h"
#include "support/refusals.h"

namespace burin {

struct Definition {
  GraphValueId id = kAbsent;
  int position = -1;  // of the node that defines it in its block; -1: before all nodes
};

struct Scope {
  const Scope* outer = nullptr;
  std::unordered_map<std::string_view, Definition> names;
  int position = 0;  // of the node that is being read
};

struct Frame;

// An attribute that a call gives to a function, and where it was written.
struct GivenAttribute {
  AttributeMessage message;
  const Scope* scope = nullptr;
  const Frame* frame = nullptr;
};

struct Function {
  FunctionMessage message;
  int64_t bytes = 0;  // of its encoding
  ImportedOpsets opsets;
};

// Whose nodes are being read: the model's (function == nullptr), or those of a function that is
// inlined.
struct Frame {
  const Function* function = nullptr;
  const ImportedOpsets* opsets = nullptr;
  const Frame* caller = nullptr;
  int depth = 0;
  int number = -1;     // of the calling node in the file
  std::string prefix;  // of the names inside: "block1/attention/"
  std::map<std::string_view, GivenAttribute> attributes;
};

class ModelReader {
 public:
  ModelReader(const ImportOptions& options, TensorReader& tensors, Budget& budget)
      : tensors_(tensors),
        budget_(budget),
        symbols_(options.dims, options.least_size),
        assumed_opset_(options.assumed_opset),
        contents_(options.contents) {}

  // others: see import_model.
  Graph read(const ModelMessage& model, OtherDims* others);

 private:
  using Declared = std::unordered_map<std::string_view, WireSpan>;

  // block_reader.cpp
  Block read_block(WireSpan span, const Scope* outer, const Frame& frame);
  void read_initializers(const GraphMessage& graph, Scope& scope, const Frame& frame,
                         Refusals& refusals);
  void read_inputs(const GraphMessage& graph, Scope& scope, const Frame& frame, Block& block,
                   Refusals& refusals);
  void read_input(const ValueInfoMessage& info, Scope& scope, const Frame& frame, Block& block);
  Declared collect_declared(const GraphMessage& graph) const;
  void define_outputs(const NodeMessage& node, int position, Scope& scope, const Frame& frame,
                      const Declared& declared);
  void read_outputs(const GraphMessage& graph, const Scope& scope, Block& block,
                    Refusals& refusals);
  GraphValueId add_value(std::string_view name, const Frame& frame);
  void add_constant(std::string_view name, Tensor tensor, Scope& scope, const Frame& frame);
  void declare(GraphValue& value, const TypeMessage& type, bool input);
  // nullopt: not defined; kAbsent: a formal input of a function that the call leaves out, or what a
  // refused node or initializer should have been.
  std::optional<GraphValueId> look_up(std::string_view name, const Scope& scope) const;

  // container_inputs.cpp
  void read_container_input(const ValueInfoMessage& info, GraphValueId id, const Contents* contents,
                            const Frame& frame, Block& block);
  GraphValueId add_packed(const std::string& name, Type type, std::vector<Dim> shape,
                          const Frame& frame, Block& block);
  void make_packed(const TypeMessage& type, GraphValueId id, const std::string& name,
                   const Frame& frame, Block& block);
  void make_container(const TypeMessage& type, GraphValueId id, const std::string& name,
                      const Contents* contents, const Frame& frame, Block& block, int depth,
                      bool of_many);
  GraphValueId add_item(const TypeMessage& type, const std::string& name, const Contents* contents,
                        const Frame& frame, Block& block, int depth, bool of_many);

  // node_reader.cpp
  void read_node(const NodeMessage& message, int position, Scope& scope, const Frame& frame,
                 Block& block);
  std::vector<Attribute> read_attributes(const NodeMessage& message, const Scope& scope,
                                         const Frame& frame);
  Attribute read_attribute(std::string name, const AttributeMessage& message, const Scope* scope,
                           const Frame& frame);
  Tensor read_tensor_attribute(WireSpan span, bool sparse, const Frame& frame);
  std::string node_name(const NodeMessage& message, const Frame& frame);

  // function_reader.cpp
  void read_functions(const ModelMessage& model);
  const Function* find_function(const NodeMessage& message) const;
  void inline_call(const Function& function, const NodeMessage& message, const Node& call,
                   const Scope& scope, const Frame& frame, Block& block);
  // Values of a call, by the names of the body that stand for them.
  using Targets = std::unordered_map<std::string_view, GraphValueId>;
  void read_body(const Frame& inner, const Targets& targets, Scope& local, Block& block);
  void give_attributes(const NodeMessage& message, const Scope& scope, const Frame& frame,
                       Frame& inner);
  // The attribute of the function that `message` refers to; nullptr when the call leaves it out.
  const GivenAttribute* resolve(const AttributeMessage& message, const Frame& frame) const;

  // Runs body; what it refuses gets the node's place, with the blocks and calls around it.
  template <class Body>
  void at_node(const NodeMessage& message, int position, Body&& body);

  TensorReader& tensors_;
  Budget& budget_;
  Symbols symbols_;
  std::optional<int> assumed_opset_;
  const std::map<size_t, Contents>& contents_;
  size_t inputs_read_ = 0;  // of the model, without initializers
  FreshNames names_;
  Graph graph_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Function> functions_;
  std::set<const Function*> refused_functions_;  // whose nodes were refused at an earlier call
  std::map<const char*, Tensor>
      function_tensors_;         // by their place in the file: inlined many times
  std::vector<PathPlace> path_;  // of the node that is being read, outermost first
  int block_depth_ = 0;
};

// "sequence f32": the type that an attribute holds, for people.
std::string type_text(WireSpan span);

template <class Body>
void ModelReader::at_node(const NodeMessage& message, int position, Body&& body) {
  path_.push_back({position, message.name, message.op});
  const int depth = block_depth_;
  try {
    body();
  } catch (Refused& refused) {
    fill_location(refused, locate(path_));
    path_.pop_back();
    block_depth_ = depth;
    throw;
  }
  path_.pop_back();
}

}  // namespace burin
