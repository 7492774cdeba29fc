#include "graph/string_bytes.h"

#include <algorithm>

#include "kernel/tensor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

int64_t longest(const std::vector<std::string>& strings) {
  size_t most = 0;
  for (const std::string& one : strings) most = std::max(most, one.size());
  return static_cast<int64_t>(most);
}

int64_t longest(const Block& block) {
  int64_t most = 0;
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes) {
      if (const auto* list = std::get_if<std::vector<std::string>>(&attribute.value))
        most = std::max(most, longest(*list));
      if (const auto* tensor = std::get_if<Tensor>(&attribute.value))
        most = std::max(most, longest(tensor->strings));
      if (const auto* inner = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
        most = std::max(most, longest(**inner));
    }
  }
  return most;
}

}  // namespace

int64_t longest_string(const Graph& graph) {
  int64_t most = longest(graph.block);
  for (const GraphValue& value : graph.values) {
    if (value.constant) most = std::max(most, longest(value.constant->strings));
  }
  return most;
}

Constant bytes_of(const std::vector<std::string>& strings, int64_t each) {
  std::vector<int64_t> bytes;
  bytes.reserve(strings.size() * static_cast<size_t>(each));
  for (const std::string& one : strings) {
    if (static_cast<int64_t>(one.size()) > each)
      refuse("unsupported-feature", "a string has " + std::to_string(one.size()) +
                                        " bytes, the tree's have " + std::to_string(each),
             "--string-bytes " + std::to_string(one.size()) + " gives it room");
    if (one.find('\0') != std::string::npos)
      refuse("unsupported-feature", "a string has a zero byte in it");
    for (const char c : one) bytes.push_back(static_cast<unsigned char>(c));
    bytes.resize(bytes.size() + static_cast<size_t>(each) - one.size());
  }
  const auto count = static_cast<int64_t>(strings.size());
  return to_constant(make_tensor(Type::u8, {count, each}, bytes));
}

}  // namespace burin
