// Decoders of the messages that make up the structure: model, graph, node, function, attribute.
#include "import/messages.h"

namespace burin {
namespace {

OpsetMessage decode_opset(WireSpan span) {
  OpsetMessage opset;
  for (WireReader r(span, "OperatorSetIdProto"); r.next();) {
    switch (r.field()) {
      case 1:
        opset.domain = r.once().text();
        break;
      case 2:
        opset.version = r.once().integer();
        break;
      default:
        r.unknown();
    }
  }
  return opset;
}

void append_integers(std::vector<int64_t>& list, std::string_view encoded) {
  for (VarintReader numbers(encoded); !numbers.at_end();) list.push_back(numbers.next());
}

void append_reals(std::vector<float>& list, std::string_view encoded) {
  const size_t before = list.size();
  list.resize(before + encoded.size() / sizeof(float));
  encoded.copy(reinterpret_cast<char*>(list.data() + before), encoded.size());
}

}  // namespace

ModelMessage decode_model(WireSpan span) {
  ModelMessage model;
  for (WireReader r(span, "ModelProto"); r.next();) {
    switch (r.field()) {
      case 1:
        model.ir_version = r.once().integer();
        break;
      case 7:
        model.graph = r.once().message();
        break;
      case 8:
        model.opsets.push_back(decode_opset(r.message()));
        break;
      case 25:
        model.functions.push_back(r.message());
        break;
      case 2:   // producer_name
      case 3:   // producer_version
      case 4:   // domain
      case 5:   // model_version
      case 6:   // doc_string
      case 14:  // metadata_props
      case 20:  // training_info
      case 26:  // configuration
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return model;
}

GraphMessage decode_graph(WireSpan span) {
  GraphMessage graph;
  for (WireReader r(span, "GraphProto"); r.next();) {
    switch (r.field()) {
      case 1:
        graph.nodes.push_back(r.message());
        break;
      case 2:
        graph.name = r.once().text();
        break;
      case 5:
        graph.initializers.push_back(r.message());
        break;
      case 11:
        graph.inputs.push_back(r.message());
        break;
      case 12:
        graph.outputs.push_back(r.message());
        break;
      case 13:
        graph.value_infos.push_back(r.message());
        break;
      case 15:
        graph.sparse_initializers.push_back(r.message());
        break;
      case 10:  // doc_string
      case 14:  // quantization_annotation
      case 16:  // metadata_props
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return graph;
}

NodeMessage decode_node(WireSpan span) {
  NodeMessage node;
  for (WireReader r(span, "NodeProto"); r.next();) {
    switch (r.field()) {
      case 1:
        node.inputs.push_back(r.text());
        break;
      case 2:
        node.outputs.push_back(r.text());
        break;
      case 3:
        node.name = r.once().text();
        break;
      case 4:
        node.op = r.once().text();
        break;
      case 5:
        node.attributes.push_back(r.message());
        break;
      case 7:
        node.domain = r.once().text();
        break;
      case 8:
        node.overload = r.once().text();
        break;
      case 6:   // doc_string
      case 9:   // metadata_props
      case 10:  // device_configurations
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return node;
}

FunctionMessage decode_function(WireSpan span) {
  FunctionMessage function;
  for (WireReader r(span, "FunctionProto"); r.next();) {
    switch (r.field()) {
      case 1:
        function.name = r.once().text();
        break;
      case 4:
        function.inputs.push_back(r.text());
        break;
      case 5:
        function.outputs.push_back(r.text());
        break;
      case 6:
        function.attributes.push_back(r.text());
        break;
      case 7:
        function.nodes.push_back(r.message());
        break;
      case 9:
        function.opsets.push_back(decode_opset(r.message()));
        break;
      case 10:
        function.domain = r.once().text();
        break;
      case 11:
        function.defaults.push_back(r.message());
        break;
      case 13:
        function.overload = r.once().text();
        break;
      case 2:   // since_version, of old drafts
      case 3:   // status, of old drafts
      case 8:   // doc_string
      case 12:  // value_info: shapes are inferred anew for every call
      case 14:  // metadata_props
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return function;
}

AttributeMessage decode_attribute(WireSpan span) {
  AttributeMessage attribute;
  for (WireReader r(span, "AttributeProto"); r.next();) {
    switch (r.field()) {
      case 1:
        attribute.name = r.once().text();
        break;
      case 2:
        attribute.real = r.once().real();
        break;
      case 3:
        attribute.integer = r.once().integer();
        break;
      case 4:
        attribute.text = r.once().text();
        break;
      case 5:
        attribute.tensor = r.once().message();
        break;
      case 6:
        attribute.graph = r.once().message();
        break;
      case 7:
        append_reals(attribute.reals, r.reals());
        break;
      case 8:
        append_integers(attribute.integers, r.integers());
        break;
      case 9:
        attribute.texts.push_back(r.text());
        break;
      case 10:
        attribute.has_tensors = true;
        break;
      case 11:
        attribute.has_graphs = true;
        break;
      case 14:
        attribute.value_type = r.once().message();
        break;
      case 15:
        attribute.has_types = true;
        break;
      case 20:
        attribute.type = r.once().small_integer();
        break;
      case 21:
        attribute.reference = r.once().text();
        break;
      case 22:
        attribute.sparse_tensor = r.once().message();
        break;
      case 23:
        attribute.has_sparse_tensors = true;
        break;
      case 13:  // doc_string
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return attribute;
}

}  // namespace burin
