// Nodes and their attributes.
#include <set>

#include "import/model_reader.h"

namespace burin {
namespace {

// What an attribute holds, by the fields that are there; undefined when there are none or several.
struct Held {
  AttributeType type = AttributeType::undefined;
  int kinds = 0;
};

Held held_by(const AttributeMessage& message) {
  Held held;
  const auto add = [&](bool there, AttributeType type) {
    if (!there) return;
    held.type = type;
    ++held.kinds;
  };
  add(message.real.has_value(), AttributeType::real);
  add(message.integer.has_value(), AttributeType::integer);
  add(message.text.has_value(), AttributeType::text);
  add(message.tensor.has_value(), AttributeType::tensor);
  add(message.graph.has_value(), AttributeType::graph);
  add(message.sparse_tensor.has_value(), AttributeType::sparse_tensor);
  add(!message.reals.empty(), AttributeType::reals);
  add(!message.integers.empty(), AttributeType::integers);
  add(!message.texts.empty(), AttributeType::texts);
  add(message.has_tensors, AttributeType::tensors);
  add(message.has_graphs, AttributeType::graphs);
  add(message.has_sparse_tensors, AttributeType::sparse_tensors);
  add(message.value_type.has_value(), AttributeType::type);
  add(message.has_types, AttributeType::types);
  return held;
}

const char* type_name(AttributeType type) {
  static constexpr const char* kNames[] = {"nothing",
                                           "a float",
                                           "an int",
                                           "a string",
                                           "a tensor",
                                           "a graph",
                                           "a list of floats",
                                           "a list of ints",
                                           "a list of strings",
                                           "a list of tensors",
                                           "a list of graphs",
                                           "a sparse tensor",
                                           "a list of sparse tensors",
                                           "a type",
                                           "a list of types"};
  return kNames[static_cast<size_t>(type)];
}

// The type of an attribute, held against what it contains. A writer may leave out a field that is
// zero, and old files give no type.
AttributeType checked_type(const AttributeMessage& message) {
  if (message.type < 0 || message.type > static_cast<int>(AttributeType::types)) {
    refuse("attribute", "attribute type " + std::to_string(message.type) + " is not known");
  }
  const auto type = static_cast<AttributeType>(message.type);
  const Held held = held_by(message);
  if (held.kinds > 1) refuse("attribute", "it has values of several types");
  if (type == AttributeType::undefined) {
    if (held.kinds == 0) refuse("attribute", "it has no value and no type");
    return held.type;
  }
  if (held.kinds == 1 && held.type != type) {
    refuse("attribute",
           std::string("it should be ") + type_name(type) + ", it holds " + type_name(held.type));
  }
  return type;
}

// Adds the attribute to what body refuses, unless that is at a node of a block in it.
template <class Body>
void at_attribute(std::string_view name, Body&& body) {
  try {
    body();
  } catch (Refused& refused) {
    for (Diagnostic& diagnostic : refused.diagnostics) {
      Location& where = diagnostic.where;
      if (where.node.empty()) {
        where.operand =
            "attribute " + quoted(name) + (where.operand.empty() ? "" : " ") + where.operand;
      }
    }
    throw;
  }
}

}  // namespace

std::string ModelReader::node_name(const NodeMessage& message, const Frame& frame) {
  std::string name = budget_.name(message.name);
  if (frame.function == nullptr) return name;
  if (name.empty()) name = message.op;
  budget_.take_memory(static_cast<int64_t>(frame.prefix.size()));
  return frame.prefix + name;
}

void ModelReader::read_node(const NodeMessage& message, int position, Scope& scope,
                            const Frame& frame, Block& block) {
  if (message.op.empty()) refuse("graph", "the node has no operator");
  budget_.take_memory(static_cast<int64_t>(
      sizeof(Node) + (message.inputs.size() + message.outputs.size()) * sizeof(GraphValueId)));
  Node node;
  node.name = node_name(message, frame);
  node.op = budget_.name(message.op);
  node.domain = budget_.name(normal_domain(message.domain));
  node.number = frame.function != nullptr ? frame.number : position;
  for (size_t i = 0; i < message.inputs.size(); ++i) {
    const std::string_view name = message.inputs[i];
    const std::optional<GraphValueId> id = name.empty() ? kAbsent : look_up(name, scope);
    if (!id) {
      located({.operand = "input " + std::to_string(i)},
              [&] { refuse("graph", "value " + quoted(name) + " is not defined"); });
    }
    node.inputs.push_back(*id);
  }
  for (const std::string_view name : message.outputs) {
    node.outputs.push_back(name.empty() ? kAbsent : scope.names.at(name).id);
  }
  if (const Function* function = find_function(message)) {
    inline_call(*function, message, node, scope, frame, block);
    return;
  }
  if (!message.overload.empty()) {
    refuse("function", "overload " + quoted(message.overload) + " of it is not in the model");
  }
  node.version = frame.opsets->version(node.domain);
  node.attributes = read_attributes(message, scope, frame);
  block.nodes.push_back(std::move(node));
}

std::vector<Attribute> ModelReader::read_attributes(const NodeMessage& message, const Scope& scope,
                                                    const Frame& frame) {
  std::vector<Attribute> attributes;
  std::set<std::string_view> seen;
  for (const WireSpan& span : message.attributes) {
    const AttributeMessage attribute = decode_attribute(span);
    at_attribute(attribute.name, [&] {
      if (attribute.name.empty()) refuse("attribute", "an attribute has no name");
      if (!seen.insert(attribute.name).second) refuse("attribute", "it is given twice");
      if (attribute.reference.empty()) {
        attributes.push_back(
            read_attribute(budget_.name(attribute.name), attribute, &scope, frame));
      } else if (const GivenAttribute* given = resolve(attribute, frame)) {
        attributes.push_back(read_attribute(budget_.name(attribute.name), given->message,
                                            given->scope, *given->frame));
      }
    });
  }
  return attributes;
}

Attribute ModelReader::read_attribute(std::string name, const AttributeMessage& message,
                                      const Scope* scope, const Frame& frame) {
  budget_.take_attribute();
  budget_.take_memory(static_cast<int64_t>(
      sizeof(Attribute) + message.reals.size() * sizeof(float) +
      message.integers.size() * sizeof(int64_t) + message.texts.size() * sizeof(std::string)));
  Attribute attribute;
  const AttributeType type = checked_type(message);
  switch (type) {
    case AttributeType::real:
      attribute.value = message.real.value_or(0.0f);
      break;
    case AttributeType::integer:
      attribute.value = message.integer.value_or(0);
      break;
    case AttributeType::text:
      attribute.value = budget_.text(message.text.value_or(""));
      break;
    case AttributeType::reals:
      attribute.value = message.reals;
      break;
    case AttributeType::integers:
      attribute.value = message.integers;
      break;
    case AttributeType::texts: {
      std::vector<std::string> texts;
      for (const std::string_view text : message.texts) texts.push_back(budget_.text(text));
      attribute.value = std::move(texts);
      break;
    }
    case AttributeType::tensor:
    case AttributeType::sparse_tensor: {
      const auto& span = type == AttributeType::tensor ? message.tensor : message.sparse_tensor;
      if (!span) refuse("attribute", "it has no value");
      attribute.value = read_tensor_attribute(*span, type == AttributeType::sparse_tensor, frame);
      break;
    }
    case AttributeType::graph: {
      if (!message.graph) refuse("attribute", "it has no value");
      path_.back().attribute = message.name;
      attribute.value = std::make_shared<const Block>(read_block(*message.graph, scope, frame));
      path_.back().attribute = {};
      break;
    }
    case AttributeType::type:
      if (!message.value_type) refuse("attribute", "it has no value");
      attribute.value = type_text(*message.value_type);
      break;
    default:
      refuse("attribute", std::string("it is ") + type_name(type) + ", which is not supported");
  }
  attribute.name = std::move(name);
  return attribute;
}

// A function may be inlined many times; its constants are shared.
Tensor ModelReader::read_tensor_attribute(WireSpan span, bool sparse, const Frame& frame) {
  if (frame.function != nullptr) {
    const auto known = function_tensors_.find(span.bytes.data());
    if (known != function_tensors_.end()) return known->second;
  }
  Tensor tensor = sparse ? tensors_.read_sparse(decode_sparse_tensor(span))
                         : tensors_.read(decode_tensor(span));
  if (frame.function != nullptr) function_tensors_.emplace(span.bytes.data(), tensor);
  return tensor;
}

}  // namespace burin
