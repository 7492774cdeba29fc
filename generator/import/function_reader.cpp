// Functions of the model itself, inlined where they are called.
//
// A call's inputs stand for the formal inputs, its outputs for the formal outputs; attributes of
// the body that refer to an attribute of the function take what the call gives, or the default, or
// are left out. Names inside get the call's name as a prefix. A formal output that is a formal
// input, or is listed twice, becomes a copy.
#include "graph/copy.h"
#include "import/model_reader.h"

namespace burin {
namespace {

// Putting a name into a table takes about as long as reading so many bytes.
constexpr int64_t kEntryWork = 256;

std::string function_text(const FunctionMessage& function) {
  return "function " + quoted(function.name);
}

}  // namespace

void ModelReader::read_functions(const ModelMessage& model) {
  Refusals refusals;
  for (const WireSpan& span : model.functions) {
    Function function;
    function.message = decode_function(span);
    function.bytes = static_cast<int64_t>(span.bytes.size());
    const FunctionMessage& message = function.message;
    const auto keep = [&] {
      if (message.name.empty()) refuse("function", "a function has no name");
      budget_.take_memory(
          static_cast<int64_t>(sizeof(Function) + message.nodes.size() * sizeof(WireSpan)));
      function.opsets = ImportedOpsets(message.opsets, function_text(message), assumed_opset_);
      graph_.notes.insert(graph_.notes.end(), function.opsets.notes().begin(),
                          function.opsets.notes().end());
      const auto key =
          std::make_tuple(normal_domain(message.domain), message.name, message.overload);
      if (!functions_.emplace(key, std::move(function)).second) {
        refuse("function", "the model has two functions of this name");
      }
    };
    refusals.refused([&] { located({.operand = function_text(message)}, keep); });
  }
  refusals.check();
}

const Function* ModelReader::find_function(const NodeMessage& message) const {
  const auto found =
      functions_.find(std::make_tuple(normal_domain(message.domain), message.op, message.overload));
  return found == functions_.end() ? nullptr : &found->second;
}

const GivenAttribute* ModelReader::resolve(const AttributeMessage& message,
                                           const Frame& frame) const {
  const std::string_view name = message.reference;
  if (frame.function == nullptr) {
    refuse("function", "it refers to attribute " + quoted(name) + " of a function, but is in none");
  }
  if (message.real || message.integer || message.text || message.tensor || message.graph ||
      message.sparse_tensor || !message.reals.empty() || !message.integers.empty() ||
      !message.texts.empty()) {
    refuse("attribute", "it has a value and refers to attribute " + quoted(name));
  }
  if (const auto given = frame.attributes.find(name); given != frame.attributes.end()) {
    const int type = given->second.message.type;
    if (type != 0 && message.type != 0 && type != message.type) {
      refuse("function", "the call gives attribute " + quoted(name) + " as another type");
    }
    return &given->second;
  }
  for (const std::string_view declared : frame.function->message.attributes) {
    if (declared == name) return nullptr;
  }
  refuse("function", function_text(frame.function->message) + " has no attribute " + quoted(name));
}

void ModelReader::give_attributes(const NodeMessage& message, const Scope& scope,
                                  const Frame& frame, Frame& inner) {
  const FunctionMessage& function = inner.function->message;
  std::map<std::string_view, bool> declared;  // and whether the call gives it
  for (const std::string_view name : function.attributes) declared.emplace(name, false);
  std::map<std::string_view, AttributeMessage> defaults;
  for (const WireSpan& span : function.defaults) {
    const AttributeMessage attribute = decode_attribute(span);
    declared.emplace(attribute.name, false);
    defaults.emplace(attribute.name, attribute);
  }
  for (const WireSpan& span : message.attributes) {
    const AttributeMessage attribute = decode_attribute(span);
    located({.operand = "attribute " + quoted(attribute.name)}, [&] {
      const auto found = declared.find(attribute.name);
      if (found == declared.end())
        refuse("function", function_text(function) + " has no such attribute");
      if (found->second) refuse("attribute", "it is given twice");
      found->second = true;
      if (attribute.reference.empty()) {
        inner.attributes.emplace(attribute.name, GivenAttribute{attribute, &scope, &frame});
      } else if (const GivenAttribute* given = resolve(attribute, frame)) {
        inner.attributes.emplace(attribute.name, *given);
      }
    });
  }
  for (const auto& [name, attribute] : defaults) {
    inner.attributes.emplace(name, GivenAttribute{attribute, nullptr, &frame});
  }
}

void ModelReader::inline_call(const Function& function, const NodeMessage& message,
                              const Node& call, const Scope& scope, const Frame& frame,
                              Block& block) {
  const FunctionMessage& body = function.message;
  for (const Frame* at = &frame; at != nullptr; at = at->caller) {
    if (at->function == &function) refuse("function", function_text(body) + " calls itself");
  }
  if (frame.depth >= budget_.limits().function_depth) {
    refuse("limit", "calls are nested more than " + std::to_string(frame.depth) + " deep");
  }
  const auto check_arity = [&](size_t given, size_t formal, const char* what) {
    if (given > formal) {
      refuse("function", function_text(body) + " has " + std::to_string(formal) + what +
                             ", the call has " + std::to_string(given));
    }
  };
  check_arity(call.inputs.size(), body.inputs.size(), " inputs");
  check_arity(call.outputs.size(), body.outputs.size(), " outputs");
  budget_.take_nodes(static_cast<int64_t>(body.nodes.size()));
  budget_.take_work(function.bytes +
                    kEntryWork *
                        static_cast<int64_t>(body.inputs.size() + body.outputs.size() +
                                             body.attributes.size() + body.defaults.size()));

  Frame inner;
  inner.function = &function;
  inner.opsets = &function.opsets;
  inner.caller = &frame;
  inner.depth = frame.depth + 1;
  inner.number = call.number;
  const bool unnamed = message.name.empty() && !call.outputs.empty() && call.outputs[0] != kAbsent;
  inner.prefix = unnamed ? graph_.values[static_cast<size_t>(call.outputs[0])].name : call.name;
  if (inner.prefix.empty()) inner.prefix = message.op;
  inner.prefix += '/';
  give_attributes(message, scope, frame, inner);

  Scope local;
  for (size_t i = 0; i < body.inputs.size(); ++i) {
    const GraphValueId id = i < call.inputs.size() ? call.inputs[i] : kAbsent;
    if (!local.names.emplace(body.inputs[i], Definition{id, -1}).second) {
      refuse("function", function_text(body) + " has two inputs named " + quoted(body.inputs[i]));
    }
  }
  // Values of the call that a node of the body may define directly.
  Targets targets;
  std::vector<std::pair<std::string_view, GraphValueId>> copies;
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (call.outputs[i] == kAbsent) continue;
    const std::string_view name = body.outputs[i];
    if (local.names.count(name) != 0 || !targets.emplace(name, call.outputs[i]).second) {
      copies.emplace_back(name, call.outputs[i]);
    }
  }
  // What its nodes are refused for is reported once, not at every call.
  if (refused_functions_.contains(&function)) refuse_as_consequence();
  try {
    read_body(inner, targets, local, block);
  } catch (const Refused&) {
    refused_functions_.insert(&function);
    throw;
  }
  for (const auto& [name, target] : copies) {
    const GraphValueId source = local.names.at(name).id;
    if (source == kAbsent) {
      refuse("function", "output " + quoted(name) + " is an input that the call leaves out");
    }
    budget_.take_nodes(1);
    block.nodes.push_back(copy_node(inner.prefix + std::string(name), call.number, source, target));
  }
}

void ModelReader::read_body(const Frame& inner, const Targets& targets, Scope& local,
                            Block& block) {
  const FunctionMessage& body = inner.function->message;
  const int count = static_cast<int>(body.nodes.size());
  for (int i = 0; i < count; ++i) {
    const NodeMessage node = decode_node(body.nodes[static_cast<size_t>(i)]);
    at_node(node, i, [&] {
      NodeMessage fresh = node;  // without the outputs that are the call's own
      fresh.outputs.clear();
      for (const std::string_view name : node.outputs) {
        const auto target = targets.find(name);
        if (target == targets.end()) {
          fresh.outputs.push_back(name);
        } else if (!local.names.emplace(name, Definition{target->second, i}).second) {
          refuse("graph", "output " + quoted(name) + " is defined twice");
        }
      }
      define_outputs(fresh, i, local, inner, {});
    });
  }
  for (const std::string_view name : body.outputs) {
    if (local.names.find(name) == local.names.end()) {
      refuse("function",
             "output " + quoted(name) + " of " + function_text(body) + " is not defined");
    }
  }
  for (int i = 0; i < count; ++i) {
    const NodeMessage node = decode_node(body.nodes[static_cast<size_t>(i)]);
    local.position = i;
    at_node(node, i, [&] { read_node(node, i, local, inner, block); });
  }
}

}  // namespace burin
