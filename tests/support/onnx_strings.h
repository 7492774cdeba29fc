// Every string and bytes field of the ONNX format, and which of them a model fills: so that a test
// of names can show that it forgot none.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace burin::onnx_strings {

// A field of a message: of text where `message` is empty, else of that message.
struct Field {
  const char* owner;
  int number;
  const char* name;
  const char* message = "";
};

inline constexpr Field kFields[] = {
    {"Model", 2, "producer_name"},
    {"Model", 3, "producer_version"},
    {"Model", 4, "domain"},
    {"Model", 6, "doc_string"},
    {"Model", 7, "graph", "Graph"},
    {"Model", 8, "opset_import", "OperatorSet"},
    {"Model", 14, "metadata_props", "Entry"},
    {"Model", 20, "training_info", "Training"},
    {"Model", 25, "functions", "Function"},
    {"Model", 26, "configuration", "Devices"},
    {"OperatorSet", 1, "domain"},
    {"Entry", 1, "key"},
    {"Entry", 2, "value"},
    {"Training", 1, "initialization", "Graph"},
    {"Training", 2, "algorithm", "Graph"},
    {"Training", 3, "initialization_binding", "Entry"},
    {"Training", 4, "update_binding", "Entry"},
    {"Devices", 1, "name"},
    {"Devices", 3, "device"},
    {"Graph", 1, "node", "Node"},
    {"Graph", 2, "name"},
    {"Graph", 5, "initializer", "Tensor"},
    {"Graph", 10, "doc_string"},
    {"Graph", 11, "input", "ValueInfo"},
    {"Graph", 12, "output", "ValueInfo"},
    {"Graph", 13, "value_info", "ValueInfo"},
    {"Graph", 14, "quantization_annotation", "Annotation"},
    {"Graph", 15, "sparse_initializer", "Sparse"},
    {"Graph", 16, "metadata_props", "Entry"},
    {"Annotation", 1, "tensor_name"},
    {"Annotation", 2, "quant_parameter_tensor_names", "Entry"},
    {"Node", 1, "input"},
    {"Node", 2, "output"},
    {"Node", 3, "name"},
    {"Node", 4, "op_type"},
    {"Node", 5, "attribute", "Attribute"},
    {"Node", 6, "doc_string"},
    {"Node", 7, "domain"},
    {"Node", 8, "overload"},
    {"Node", 9, "metadata_props", "Entry"},
    {"Node", 10, "device_configurations", "NodeDevices"},
    {"NodeDevices", 1, "configuration_id"},
    {"NodeDevices", 2, "sharding_spec", "Sharding"},
    {"Sharding", 1, "tensor_name"},
    {"Attribute", 1, "name"},
    {"Attribute", 4, "s"},
    {"Attribute", 5, "t", "Tensor"},
    {"Attribute", 6, "g", "Graph"},
    {"Attribute", 9, "strings"},
    {"Attribute", 13, "doc_string"},
    {"Attribute", 21, "ref_attr_name"},
    {"Tensor", 6, "string_data"},
    {"Tensor", 8, "name"},
    {"Tensor", 12, "doc_string"},
    {"Tensor", 13, "external_data", "Entry"},
    {"Tensor", 16, "metadata_props", "Entry"},
    {"Sparse", 1, "values", "Tensor"},
    {"Sparse", 2, "indices", "Tensor"},
    {"ValueInfo", 1, "name"},
    {"ValueInfo", 2, "type", "Type"},
    {"ValueInfo", 3, "doc_string"},
    {"ValueInfo", 4, "metadata_props", "Entry"},
    {"Type", 1, "tensor_type", "TensorType"},
    {"Type", 6, "denotation"},
    {"TensorType", 2, "shape", "Shape"},
    {"Shape", 1, "dim", "Dimension"},
    {"Dimension", 2, "dim_param"},
    {"Dimension", 3, "denotation"},
    {"Function", 1, "name"},
    {"Function", 4, "input"},
    {"Function", 5, "output"},
    {"Function", 6, "attribute"},
    {"Function", 7, "node", "Node"},
    {"Function", 8, "doc_string"},
    {"Function", 9, "opset_import", "OperatorSet"},
    {"Function", 10, "domain"},
    {"Function", 11, "attribute_proto", "Attribute"},
    {"Function", 12, "value_info", "ValueInfo"},
    {"Function", 13, "overload"},
    {"Function", 14, "metadata_props", "Entry"},
};

// "Node.doc_string" for each text field of the encoded message that contains `word`.
inline void collect_filled(std::string_view bytes, std::string_view owner, std::string_view word,
                           std::set<std::string>& filled) {
  const auto varint = [&] {
    uint64_t value = 0;
    for (int shift = 0; !bytes.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (!bytes.empty()) {
    const uint64_t tag = varint();
    if (tag % 8 == 0) {
      varint();
    } else if (tag % 8 != 2) {
      bytes.remove_prefix(tag % 8 == 5 ? 4 : 8);
    } else {
      const size_t size = varint();
      const std::string_view content = bytes.substr(0, size);
      bytes.remove_prefix(size);
      for (const Field& field : kFields) {
        if (owner != field.owner || tag / 8 != static_cast<uint64_t>(field.number)) continue;
        if (*field.message) collect_filled(content, field.message, word, filled);
        if (!*field.message && content.find(word) != std::string_view::npos)
          filled.insert(std::string(owner) + "." + field.name);
      }
    }
  }
}

// The text fields that the model leaves without the word.
inline std::set<std::string> fields_without(std::string_view model, std::string_view word) {
  std::set<std::string> filled, without;
  collect_filled(model, "Model", word, filled);
  for (const Field& field : kFields) {
    const std::string name = std::string(field.owner) + "." + field.name;
    if (!*field.message && !filled.contains(name)) without.insert(name);
  }
  return without;
}

}  // namespace burin::onnx_strings
