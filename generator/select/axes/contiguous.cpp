#include "select/axes/contiguous.h"

#include "kernel/layout.h"

namespace burin {

bool is_contiguous(const Expr& expr, int axis, const Kernel& kernel,
                   const std::vector<Value>& values) {
  bool contiguous = false;
  const auto at_point = [&](const Index& index, int64_t point) {
    return index.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() != IndexKind::axis) return leaf;
      return leaf.axis_id() == axis ? Index(point) : Index(0);
    });
  };
  visit(expr, [&](const ExprNode& node) {
    Index address = 0;
    if (node.kind == ExprKind::load && node.at.size() > 1) {
      address = linearize(node.at, values[static_cast<size_t>(node.id)].shape);
    } else if (node.kind == ExprKind::let) {
      std::vector<Dim> shape;
      for (const int one : kernel.lets[static_cast<size_t>(node.id)].over)
        shape.push_back(kernel.axes[static_cast<size_t>(one)].extent);
      address = linearize(node.at, shape);
    } else {
      return;
    }
    contiguous = contiguous || (at_point(address, 1) - at_point(address, 0)).is_constant(1);
  });
  return contiguous;
}

}  // namespace burin
