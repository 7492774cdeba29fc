#include "graph/string_bytes.h"

#include <algorithm>
#include <cstring>

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
  const auto count = static_cast<int64_t>(strings.size());
  if (count > kMostBytesOfStrings / std::max<int64_t>(1, each))
    refuse("limit",
           std::to_string(count) + " strings of " + std::to_string(each) +
               " bytes each, as long as the longest one of the model",
           "shorten the longest one, or the list");
  std::vector<std::byte> bytes(static_cast<size_t>(count * each), std::byte{0});
  size_t row = 0;
  for (const std::string& one : strings) {
    if (const auto size = static_cast<int64_t>(one.size()); size > each)
      refuse("unsupported-feature",
             "a string has " + std::to_string(size) + " bytes, the tree's have " +
                 std::to_string(each),
             size > kMostStringBytes ? "no tree has longer ones"
                                     : "--string-bytes " + std::to_string(size) + " gives it room");
    if (one.find('\0') != std::string::npos)
      refuse("unsupported-feature", "a string has a zero byte in it");
    if (!one.empty()) std::memcpy(bytes.data() + row, one.data(), one.size());
    row += static_cast<size_t>(each);
  }
  return make_constant(std::move(bytes));
}

}  // namespace burin
