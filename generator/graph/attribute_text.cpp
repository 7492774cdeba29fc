#include "graph/attribute_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace burin {
namespace {

constexpr size_t kMostItems = 8, kLongestWord = 32, kMostAttributes = 12;

std::string text_of(int64_t number) { return std::to_string(number); }
std::string text_of(float number) { return fmt::format("{:g}", number); }
std::string text_of(const std::string& word) {
  const bool cut = word.size() > kLongestWord;
  return '"' + word.substr(0, kLongestWord) + (cut ? "...\"" : "\"");
}
std::string text_of(const Tensor&) { return "a tensor"; }
std::string text_of(const std::shared_ptr<const Block>&) { return "a graph"; }
template <class T>
std::string text_of(const std::vector<T>& list) {
  std::string out;
  for (size_t i = 0; i < std::min(list.size(), kMostItems); ++i)
    out += (i ? ", " : "") + text_of(list[i]);
  return "[" + out + (list.size() > kMostItems ? ", ..." : "") + "]";
}

}  // namespace

std::string attributes_text(const Node& node) {
  std::string out;
  for (size_t i = 0; i < std::min(node.attributes.size(), kMostAttributes); ++i) {
    const Attribute& one = node.attributes[i];
    out += (i ? ", " : "") + one.name.substr(0, kLongestWord) + "=" +
           std::visit([](const auto& value) { return text_of(value); }, one.value);
  }
  return out + (node.attributes.size() > kMostAttributes ? ", ..." : "");
}

}  // namespace burin
