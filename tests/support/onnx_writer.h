// Writes ONNX files byte by byte, right ones and wrong ones: a library would not write the latter.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace burin::onnx_writer {

class Message {
 public:
  static std::string varint(uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
    return out + static_cast<char>(value);
  }
  Message& tag(int field, int wire_type) {
    bytes_ += varint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(wire_type));
    return *this;
  }
  Message& integer(int field, int64_t value) {
    tag(field, 0);
    bytes_ += varint(static_cast<uint64_t>(value));
    return *this;
  }
  Message& text(int field, std::string_view value) {
    tag(field, 2);
    bytes_ += varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& real(int field, float value) {
    char raw[4];
    std::memcpy(raw, &value, 4);
    tag(field, 5);
    bytes_.append(raw, 4);
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }
  Message& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// The numbers of element types and attribute types in the format.
enum Element : int {
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kComplex64 = 14,
  kBfloat16 = 16,
  kFloat8e5m2 = 19,
  kUint4 = 21,
  kInt4 = 22,
};
enum AttributeType : int {
  kReal = 1,
  kInteger = 2,
  kText = 3,
  kTensor = 4,
  kGraph = 5,
  kReals = 6,
  kIntegers = 7,
  kTexts = 8,
  kSparse = 11,
};

using Names = std::vector<std::string>;

inline Message node(std::string_view op, const Names& inputs, const Names& outputs,
                    const std::vector<Message>& attributes = {}, std::string_view name = "",
                    std::string_view domain = "") {
  Message m;
  for (const std::string& input : inputs) m.text(1, input);
  for (const std::string& output : outputs) m.text(2, output);
  if (!name.empty()) m.text(3, name);
  m.text(4, op);
  if (!domain.empty()) m.text(7, domain);
  for (const Message& attribute : attributes) m.message(5, attribute);
  return m;
}

inline Message attribute(std::string_view name, int type) {
  return Message().text(1, name).integer(20, type);
}
inline Message integer_attribute(std::string_view name, int64_t value) {
  return attribute(name, kInteger).integer(3, value);
}
inline Message integers_attribute(std::string_view name, const std::vector<int64_t>& values) {
  Message out = attribute(name, kIntegers);
  for (const int64_t value : values) out.integer(8, value);
  return out;
}
inline Message graph_attribute(std::string_view name, const Message& graph) {
  return attribute(name, kGraph).message(6, graph);
}
inline Message tensor_attribute(std::string_view name, const Message& tensor) {
  return attribute(name, kTensor).message(5, tensor);
}
inline Message reference(std::string_view name, int type, std::string_view to) {
  return attribute(name, type).text(21, to);
}

// A dimension: a number, or a name.
struct Size {
  Size(int64_t value) : value(value) {}   // NOLINT
  Size(int value) : value(value) {}       // NOLINT
  Size(const char* name) : name(name) {}  // NOLINT
  int64_t value = 0;
  std::string name;
};

inline Message value(std::string_view name, int element, const std::vector<Size>& shape) {
  Message dims;
  for (const Size& size : shape) {
    Message dim;
    if (size.name.empty()) {
      dim.integer(1, size.value);
    } else if (size.name != "?") {  // "?": neither number nor name
      dim.text(2, size.name);
    }
    dims.message(1, dim);
  }
  const Message type = Message().integer(1, element).message(2, dims);
  return Message().text(1, name).message(2, Message().message(1, type));
}

inline Message tensor(std::string_view name, int element, const std::vector<int64_t>& dims) {
  Message m;
  for (const int64_t dim : dims) m.integer(1, dim);
  m.integer(2, element);
  return name.empty() ? m : m.text(8, name);
}
inline Message raw_tensor(std::string_view name, int element, const std::vector<int64_t>& dims,
                          std::string_view bytes) {
  return tensor(name, element, dims).text(9, bytes);
}
inline Message floats(std::string_view name, const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return raw_tensor(name, kFloat, {static_cast<int64_t>(values.size())}, bytes);
}
inline Message integers(std::string_view name, const std::vector<int64_t>& values) {
  Message m = tensor(name, kInt64, {static_cast<int64_t>(values.size())});
  for (const int64_t value : values) m.integer(7, value);
  return m;
}

inline Message integer(std::string_view name, int64_t value) {
  return tensor(name, kInt64, {}).integer(7, value);
}
inline Message external_tensor(std::string_view name, int element, const std::vector<int64_t>& dims,
                               const std::vector<std::pair<std::string, std::string>>& entries) {
  Message m = tensor(name, element, dims).integer(14, 1);
  for (const auto& [key, text] : entries) m.message(13, Message().text(1, key).text(2, text));
  return m;
}

struct GraphParts {
  std::vector<Message> nodes, initializers, inputs, outputs;
  std::vector<Message> value_infos{}, sparse_initializers{};
  std::string name = "g";
};

inline Message graph(const GraphParts& parts) {
  Message m;
  for (const Message& part : parts.nodes) m.message(1, part);
  m.text(2, parts.name);
  for (const Message& part : parts.initializers) m.message(5, part);
  for (const Message& part : parts.sparse_initializers) m.message(15, part);
  for (const Message& part : parts.inputs) m.message(11, part);
  for (const Message& part : parts.outputs) m.message(12, part);
  for (const Message& part : parts.value_infos) m.message(13, part);
  return m;
}

inline Message opset(std::string_view domain, int64_t version) {
  Message m;
  if (!domain.empty()) m.text(1, domain);
  return m.integer(2, version);
}

inline Message model(const Message& graph, const std::vector<Message>& functions = {},
                     const std::vector<Message>& opsets = {opset("", 17)}, int64_t ir = 8) {
  Message m;
  m.integer(1, ir);
  for (const Message& part : opsets) m.message(8, part);
  m.message(7, graph);
  for (const Message& part : functions) m.message(25, part);
  return m;
}

inline Message function(std::string_view name, const Names& inputs, const Names& outputs,
                        const std::vector<Message>& nodes, const Names& attributes = {},
                        const std::vector<Message>& defaults = {},
                        std::string_view domain = "local") {
  Message m;
  m.text(1, name);
  for (const std::string& input : inputs) m.text(4, input);
  for (const std::string& output : outputs) m.text(5, output);
  for (const std::string& attribute : attributes) m.text(6, attribute);
  for (const Message& part : nodes) m.message(7, part);
  m.message(9, opset("", 17)).text(10, domain);
  for (const Message& part : defaults) m.message(11, part);
  return m;
}

// y = Relu(x) over f32 [N, 4].
inline GraphParts relu_parts() {
  return {.nodes = {node("Relu", {"x"}, {"y"}, {}, "act")},
          .initializers = {},
          .inputs = {value("x", kFloat, {"N", 4})},
          .outputs = {value("y", kFloat, {"N", 4})}};
}

}  // namespace burin::onnx_writer
