#include "kernel/layout.h"

#include <algorithm>

#include "support/check.h"

namespace burin {
namespace {

std::vector<int> order_of(const Layout& layout, size_t rank) {
  if (!layout.order.empty()) {
    BURIN_CHECK(layout.order.size() == rank, "rank of a layout");
    return layout.order;
  }
  std::vector<int> order;
  for (size_t d = 0; d < rank; ++d) order.push_back(static_cast<int>(d));
  return order;
}

int64_t factor_of(const Layout& layout, int axis) {
  for (const Layout::Block& block : layout.blocks) {
    if (block.axis == axis) return block.factor;
  }
  return 1;
}

}  // namespace

std::vector<Dim> physical_shape(const Layout& layout, const std::vector<Dim>& shape) {
  std::vector<Dim> out;
  for (const int axis : order_of(layout, shape.size())) {
    out.push_back(ceildiv(shape[static_cast<size_t>(axis)], factor_of(layout, axis)));
  }
  for (const Layout::Block& block : layout.blocks) out.emplace_back(block.factor);
  return out;
}

Dim physical_elements(const Layout& layout, const std::vector<Dim>& shape) {
  return product(physical_shape(layout, shape));
}

Index address(const Layout& layout, const std::vector<Dim>& shape, const std::vector<Index>& at) {
  if (layout.is_row_major()) return linearize(at, shape);
  std::vector<Index> point;
  for (const int axis : order_of(layout, shape.size())) {
    point.push_back(floordiv(at[static_cast<size_t>(axis)], factor_of(layout, axis)));
  }
  for (const Layout::Block& block : layout.blocks) {
    point.push_back(mod(at[static_cast<size_t>(block.axis)], block.factor));
  }
  return linearize(point, physical_shape(layout, shape));
}

std::string to_string(const Layout& layout) {
  if (layout.is_row_major()) return "row-major";
  std::string out;
  for (const int axis : layout.order) {
    out += (out.empty() ? "" : " ") + std::to_string(axis);
    const int64_t factor = factor_of(layout, axis);
    if (factor > 1) out += "/" + std::to_string(factor);
  }
  for (const Layout::Block& block : layout.blocks) out += " [" + std::to_string(block.factor) + "]";
  return out;
}

std::optional<Layout> layout_from_string(std::string_view text, size_t rank) {
  if (text == "row-major") return Layout{};
  constexpr int64_t kMost = int64_t{1} << 31;
  const auto number = [](std::string_view digits) -> std::optional<int64_t> {
    if (digits.empty() || digits.size() > 10) return std::nullopt;
    int64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      value = 10 * value + (c - '0');
    }
    return value;
  };
  Layout layout;
  std::vector<Layout::Block> cut;  // axes with a factor, in the order of the axes
  std::vector<int64_t> blocks;     // factors, in the order of the blocks
  std::vector<bool> named(rank, false);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
      const std::optional<int64_t> factor = number(word.substr(1, word.size() - 2));
      if (!factor) return std::nullopt;
      blocks.push_back(*factor);
      continue;
    }
    const size_t slash = word.find('/');
    const std::optional<int64_t> axis = number(word.substr(0, slash));
    if (!blocks.empty() || !axis || *axis >= static_cast<int64_t>(rank) ||
        named[static_cast<size_t>(*axis)])
      return std::nullopt;
    named[static_cast<size_t>(*axis)] = true;
    layout.order.push_back(static_cast<int>(*axis));
    if (slash == std::string_view::npos) continue;
    const std::optional<int64_t> factor = number(word.substr(slash + 1));
    if (!factor || *factor < 2 || *factor > kMost) return std::nullopt;
    cut.push_back({static_cast<int>(*axis), *factor});
  }
  // A block says its factor, not its axis: the next axis in order that has this factor.
  for (const int64_t factor : blocks) {
    const auto at = std::find_if(cut.begin(), cut.end(),
                                 [&](const Layout::Block& one) { return one.factor == factor; });
    if (at == cut.end()) return std::nullopt;
    layout.blocks.push_back(*at);
    cut.erase(at);
  }
  if (!cut.empty() || layout.order.size() != rank) return std::nullopt;
  return layout;
}

std::vector<Dim> row_major_strides(const std::vector<Dim>& shape) {
  std::vector<Dim> strides(shape.size(), Dim(1));
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

Index linearize(const std::vector<Index>& at, const std::vector<Dim>& shape) {
  BURIN_CHECK(at.size() == shape.size(), "rank of an address");
  Index linear = 0;
  for (size_t d = 0; d < shape.size(); ++d) linear = linear * shape[d] + at[d];
  return linear;
}

std::vector<Index> delinearize(const Index& linear, const std::vector<Dim>& shape) {
  std::vector<Index> at(shape.size());
  const std::vector<Dim> strides = row_major_strides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    // A dimension of extent 0 never runs; its index must still be an expression.
    const Index quotient = strides[d].is_constant(0) ? Index(0) : floordiv(linear, strides[d]);
    at[d] = d == 0 || shape[d].is_constant(0) ? quotient : mod(quotient, shape[d]);
    if (shape[d].is_constant(1)) at[d] = 0;
  }
  return at;
}

}  // namespace burin
