// Blocks: the model's graph and the bodies of If, Loop and Scan.
//
// Single assignment, as ONNX says it: an output of a node has a name that nothing in its block has,
// nor any value of an outer block that is visible there. Formal inputs and initializers of an inner
// block may shadow an outer value.
#include <unordered_set>

#include "import/element.h"
#include "import/model_reader.h"
#include "import/node_order.h"

namespace burin {
namespace {

const char* container_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::sequence:
      return "sequence";
    case TypeKind::map:
      return "map";
    case TypeKind::optional:
      return "optional";
    case TypeKind::sparse:
      return "sparse";
    case TypeKind::opaque:
      return "opaque";
    default:
      return "";
  }
}

std::string definition_text(const Definition& definition) {
  return definition.position < 0 ? "an input or initializer"
                                 : "an output of node " + std::to_string(definition.position);
}

}  // namespace

GraphValueId ModelReader::add_value(std::string_view name, const Frame& frame) {
  budget_.take_value();
  budget_.take_memory(sizeof(GraphValue));
  GraphValue value;
  value.name = budget_.name(name);
  if (frame.function != nullptr) {
    // The name with its prefix, here and among the names that are taken.
    budget_.take_memory(static_cast<int64_t>(2 * frame.prefix.size() + value.name.size()));
    value.name = names_.make(frame.prefix + value.name, "_");
  } else if (!functions_.empty()) {
    budget_.take_memory(static_cast<int64_t>(value.name.size()));
    names_.reserve(value.name);
  }
  graph_.values.push_back(std::move(value));
  return static_cast<GraphValueId>(graph_.values.size() - 1);
}

void ModelReader::declare(GraphValue& value, const TypeMessage& type, bool input) {
  value.container = container_name(type.kind);
  if (type.kind != TypeKind::tensor) return;
  value.type = input ? element_type(type.element) : find_element_type(type.element);
  if (!type.shape) return;
  if (static_cast<int>(type.shape->size()) > budget_.limits().rank) {
    refuse("limit", "value " + quoted(value.name) + " has " + std::to_string(type.shape->size()) +
                        " dimensions; the limit is " + std::to_string(budget_.limits().rank));
  }
  value.shape.emplace();
  for (size_t axis = 0; axis < type.shape->size(); ++axis) {
    const DimensionMessage dimension = meant_dimension(*type.shape, axis);
    budget_.take_memory(static_cast<int64_t>(dimension.name.size() + value.name.size() + 256));
    if (static_cast<int64_t>(dimension.name.size()) > budget_.limits().name_bytes) {
      refuse("limit", "the name of dimension " + std::to_string(axis) + " of " +
                          quoted(value.name) + " has " + std::to_string(dimension.name.size()) +
                          " bytes; the limit is " + std::to_string(budget_.limits().name_bytes));
    }
    if (input) {
      value.shape->push_back(symbols_.input(dimension, value.name, axis));
    } else if (block_depth_ == 1) {
      value.shape->push_back(symbols_.inner(dimension, value.name, axis));
    } else {
      value.shape->push_back(symbols_.nested(dimension, value.name, axis));
    }
  }
}

void ModelReader::add_constant(std::string_view name, Tensor tensor, Scope& scope,
                               const Frame& frame) {
  if (name.empty()) refuse("graph", "an initializer has no name");
  const GraphValueId id = add_value(name, frame);
  GraphValue& value = graph_.values[static_cast<size_t>(id)];
  value.type = tensor.type;
  value.shape.emplace(tensor.shape.begin(), tensor.shape.end());
  value.constant = std::move(tensor);
  if (!scope.names.emplace(name, Definition{id, -1}).second) {
    refuse("graph", "there are two initializers of this name");
  }
}

void ModelReader::read_initializers(const GraphMessage& graph, Scope& scope, const Frame& frame,
                                    Refusals& refusals) {
  // The name of one that is refused stands, so that its readers are not refused too.
  const auto read = [&](std::string_view name, const char* what, const auto& body) {
    const bool refused = refusals.refused([&] { located({.operand = what + quoted(name)}, body); });
    if (refused) scope.names.emplace(name, Definition{kAbsent, -1});
  };
  for (const WireSpan& span : graph.initializers) {
    const TensorMessage message = decode_tensor(span);
    read(message.name, "initializer ",
         [&] { add_constant(message.name, tensors_.read(message), scope, frame); });
  }
  for (const WireSpan& span : graph.sparse_initializers) {
    const SparseTensorMessage message = decode_sparse_tensor(span);
    const std::string_view name = message.values ? message.values->name : std::string_view();
    read(name, "sparse initializer ",
         [&] { add_constant(name, tensors_.read_sparse(message), scope, frame); });
  }
}

// An input that is also an initializer is a constant (all of them are listed so before IR version
// 4).
void ModelReader::read_inputs(const GraphMessage& graph, Scope& scope, const Frame& frame,
                              Block& block, Refusals& refusals) {
  std::unordered_set<std::string_view> seen;
  for (const WireSpan& span : graph.inputs) {
    const ValueInfoMessage info = decode_value_info(span);
    const bool refused = refusals.refused([&] {
      located({.operand = "input " + quoted(info.name)}, [&] {
        if (info.name.empty()) refuse("graph", "an input has no name");
        if (!seen.insert(info.name).second) refuse("graph", "there are two inputs of this name");
        read_input(info, scope, frame, block);
      });
    });
    if (refused) scope.names.emplace(info.name, Definition{kAbsent, -1});
  }
}

namespace {

// What an input is declared to be beside the initializer that it is.
void check_declared(const std::vector<DimensionMessage>& declared,
                    const std::vector<int64_t>& shape) {
  bool same = declared.size() == shape.size();
  for (size_t d = 0; same && d < shape.size(); ++d)
    same = !declared[d].value || *declared[d].value < 0 || *declared[d].value == shape[d];
  if (same) return;
  std::string text;
  for (const DimensionMessage& one : declared) {
    text += (text.empty() ? "[" : ", ") + (one.value          ? std::to_string(*one.value)
                                           : one.name.empty() ? "?"
                                                              : quoted(one.name));
  }
  refuse("tensor", "it is declared " + (text.empty() ? "[" : text) +
                       "], its initializer has shape " +
                       to_string(std::vector<Dim>(shape.begin(), shape.end())));
}

}  // namespace

void ModelReader::read_input(const ValueInfoMessage& info, Scope& scope, const Frame& frame,
                             Block& block) {
  const bool model = block_depth_ == 1;
  if (const auto known = scope.names.find(info.name); known != scope.names.end()) {
    if (known->second.id == kAbsent) refuse_as_consequence();
    const GraphValue& constant = graph_.values[static_cast<size_t>(known->second.id)];
    if (info.type.kind == TypeKind::tensor && element_type(info.type.element) != constant.type) {
      refuse("tensor", "it is declared as " + element_name(info.type.element) +
                           ", its initializer is " + std::string(to_string(constant.type)));
    }
    if (info.type.kind == TypeKind::tensor && info.type.shape)
      check_declared(*info.type.shape, constant.constant->shape);
    return;
  }
  const GraphValueId id = add_value(info.name, frame);
  GraphValue& value = graph_.values[static_cast<size_t>(id)];
  if (model && info.type.kind == TypeKind::none) refuse("graph", "it has no type");
  const size_t place = model ? inputs_read_++ : 0;
  if (model && info.type.inner) {
    const auto contents = contents_.find(place);
    scope.names.emplace(info.name, Definition{id, -1});
    read_container_input(info, id, contents == contents_.end() ? nullptr : &contents->second, frame,
                         block);
    return;
  }
  declare(value, info.type, model);
  if (model && value.container.empty() && !value.shape) {
    refuse("symbol", "it is declared without a shape",
           "declare its rank; sizes that vary may be left open or named");
  }
  scope.names.emplace(info.name, Definition{id, -1});
  block.inputs.push_back(id);
}

// What the file says about values that nodes define: of outputs, then of value_info; the first
// counts.
ModelReader::Declared ModelReader::collect_declared(const GraphMessage& graph) const {
  Declared declared;
  for (const auto* list : {&graph.outputs, &graph.value_infos}) {
    for (const WireSpan& span : *list) declared.emplace(decode_value_info_name(span), span);
  }
  return declared;
}

void ModelReader::define_outputs(const NodeMessage& node, int position, Scope& scope,
                                 const Frame& frame, const Declared& declared) {
  for (const std::string_view name : node.outputs) {
    if (name.empty()) continue;
    if (const auto known = scope.names.find(name); known != scope.names.end()) {
      refuse("graph", "output " + quoted(name) + " is also " + definition_text(known->second));
    }
    for (const Scope* outer = scope.outer; outer != nullptr; outer = outer->outer) {
      const auto known = outer->names.find(name);
      if (known != outer->names.end() && known->second.position < outer->position) {
        refuse("graph", "output " + quoted(name) + " is also " + definition_text(known->second) +
                            " of an outer block");
      }
    }
    const GraphValueId id = add_value(name, frame);
    scope.names.emplace(name, Definition{id, position});
    if (const auto info = declared.find(name); info != declared.end()) {
      declare(graph_.values[static_cast<size_t>(id)], decode_value_info(info->second).type, false);
    }
  }
}

std::optional<GraphValueId> ModelReader::look_up(std::string_view name, const Scope& scope) const {
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    if (const auto found = at->names.find(name); found != at->names.end()) return found->second.id;
  }
  return std::nullopt;
}

void ModelReader::read_outputs(const GraphMessage& graph, const Scope& scope, Block& block,
                               Refusals& refusals) {
  for (const WireSpan& span : graph.outputs) {
    refusals.refused([&] {
      const std::string_view name = decode_value_info(span).name;
      if (name.empty()) refuse("graph", "an output of the graph has no name");
      const std::optional<GraphValueId> id = look_up(name, scope);
      if (!id) refuse("graph", "output " + quoted(name) + " of the graph is not defined");
      block.outputs.push_back(*id);
    });
  }
}

Block ModelReader::read_block(WireSpan span, const Scope* outer, const Frame& frame) {
  if (block_depth_ >= budget_.limits().block_depth) {
    refuse("limit", "blocks are nested more than " + std::to_string(block_depth_) + " deep");
  }
  ++block_depth_;
  budget_.take_work(static_cast<int64_t>(span.bytes.size()));
  const GraphMessage graph = decode_graph(span);
  budget_.take_nodes(static_cast<int64_t>(graph.nodes.size()));
  Block block;
  block.name = budget_.name(graph.name);
  Scope scope;
  scope.outer = outer;
  Refusals refusals;
  read_initializers(graph, scope, frame, refusals);
  read_inputs(graph, scope, frame, block, refusals);
  const Declared declared = collect_declared(graph);
  const int count = static_cast<int>(graph.nodes.size());
  std::vector<bool> defined(graph.nodes.size(), true);
  for (int i = 0; i < count; ++i) {
    const NodeMessage node = decode_node(graph.nodes[static_cast<size_t>(i)]);
    const bool refused = refusals.refused(
        [&] { at_node(node, i, [&] { define_outputs(node, i, scope, frame, declared); }); });
    if (!refused) continue;
    defined[static_cast<size_t>(i)] = false;
    // Its results stand for what its readers name.
    for (const std::string_view name : node.outputs)
      scope.names.emplace(name, Definition{kAbsent, i});
  }
  for (int i = 0; i < count; ++i) {
    if (!defined[static_cast<size_t>(i)]) continue;
    const NodeMessage node = decode_node(graph.nodes[static_cast<size_t>(i)]);
    scope.position = i;
    refusals.refused([&] { at_node(node, i, [&] { read_node(node, i, scope, frame, block); }); });
  }
  read_outputs(graph, scope, block, refusals);
  refusals.check();  // an order needs all of the nodes
  order_nodes(block, graph_.values);
  --block_depth_;
  return block;
}

}  // namespace burin
