#include "kernel/layout.h"

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
