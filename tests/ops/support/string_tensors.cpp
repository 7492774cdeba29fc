#include "ops/support/string_tensors.h"

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "graph/string_bytes.h"
#include "lower/lower.h"

namespace burin {

HostTensor bytes_of_strings(std::vector<int64_t> shape, const Strings& strings) {
  shape.push_back(kBytesOfAString);
  return to_tensor(Type::u8, shape, bytes_of(strings, kBytesOfAString));
}

HostTensor list_of_strings(const Strings& strings) {
  return bytes_of_strings({static_cast<int64_t>(strings.size())}, strings);
}

Strings text_of(const HostTensor& tensor) {
  EXPECT_EQ(tensor.type, Type::u8);
  Strings out;
  for (int64_t k = 0; k < tensor.elements(); ++k) {
    if (k % kBytesOfAString == 0) out.emplace_back();
    const auto byte = static_cast<char>(tensor.get(k).integer);
    if (byte != 0) out.back() += byte;
  }
  return out;
}

RunResult run_graph_of_strings(const std::string& text, const std::vector<HostTensor>& inputs) {
  LowerOptions options;
  options.string_bytes = kBytesOfAString;
  const KernelGraph graph = lower(parse_graph(text), options).graph;
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& input : inputs) shapes.push_back(input.shape);
  RunResult result = interpret(graph, inputs, bind_symbols(graph, shapes));
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return result;
}

RunResult run_node_of_strings(const Strings& declared, const std::string& node,
                              const std::vector<HostTensor>& inputs, int outputs) {
  std::string text = "graph \"g\" file \"g.onnx\" ir 8\nsymbol \"n\" param 0..9\n", in, out;
  int id = 0;
  for (const std::string& type : declared) {
    in += (id ? ", %" : "%") + std::to_string(id);
    text += "value %" + std::to_string(id) + " \"x" + std::to_string(id) + "\" " + type + "\n";
    ++id;
  }
  for (int k = 0; k < outputs; ++k, ++id) {
    out += (k ? ", %" : "%") + std::to_string(id);
    text += "value %" + std::to_string(id) + " \"y" + std::to_string(k) + "\" none ?\n";
  }
  const size_t at = node.find(" {");
  const std::string op = node.substr(0, at), rest = at == std::string::npos ? "" : node.substr(at);
  text += "block \"g\" (" + in + ") -> (" + out + ") {\nnode 0 \"n\" " + op + " (" + in + ") -> (" +
          out + ")" + rest + "\n}";
  return run_graph_of_strings(text, inputs);
}

}  // namespace burin
