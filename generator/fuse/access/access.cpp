#include "fuse/access/access.h"

#include <algorithm>

#include "fuse/access/digits.h"
#include "kernel/layout.h"
#include "support/check.h"

namespace burin {

bool is_map(const Kernel& kernel) {
  if (!kernel.lets.empty() || kernel.writes.size() != 1) return false;
  const Write& write = kernel.writes[0];
  if (write.how != How::store || !write.when.empty()) return false;
  std::vector<bool> seen(kernel.axes.size(), false);
  for (const Axis& axis : kernel.axes) {
    if (axis.kind == AxisKind::sequential) return false;
  }
  for (const Index& index : write.at) {
    if (index.is_constant(0)) continue;
    if (index.kind() != IndexKind::axis) return false;
    const auto axis = static_cast<size_t>(index.axis_id());
    if (seen[axis]) return false;
    seen[axis] = true;
  }
  return std::all_of(seen.begin(), seen.end(), [](bool one) { return one; });
}

namespace {

int count_loads(const Expr& expr) {
  if (expr.kind() == ExprKind::load) return 1;
  int count = 0;
  for (const Expr& operand : expr->operands) count += count_loads(operand);
  for (const Expr::Case& one : expr->cases) count += count_loads(one.value);
  return count;
}

}  // namespace

bool is_movement(const Kernel& kernel) { return is_map(kernel) && only_moves(kernel); }

bool is_concat(const Kernel& kernel) {
  return is_movement(kernel) && count_loads(kernel.writes[0].value) > 1;
}

std::vector<std::vector<Index>> load_points(const Kernel& kernel, ValueId value) {
  std::vector<std::vector<Index>> points;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || node.id != value) return;
    if (std::find(points.begin(), points.end(), node.at) == points.end()) points.push_back(node.at);
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel.writes) {
    visit(write.value, on_node);
    for (const Index& index : write.at) visit(index, on_node);
    for (const Condition& condition : write.when) visit(condition.index, on_node);
  }
  return points;
}

std::vector<Index> axes_at(const Kernel& map, const std::vector<Index>& point) {
  std::vector<Index> axes(map.axes.size(), Index(0));
  const std::vector<Index>& at = map.writes[0].at;
  BURIN_CHECK(at.size() == point.size());
  for (size_t d = 0; d < at.size(); ++d) {
    if (at[d].kind() == IndexKind::axis) axes[static_cast<size_t>(at[d].axis_id())] = point[d];
  }
  return axes;
}

Expr value_at(const Kernel& map, const std::vector<Index>& point) {
  const std::vector<Index> axes = axes_at(map, point);
  // At its own point the value stays as it is, however long: chains of maps grow by sharing.
  bool own = true;
  for (size_t a = 0; a < axes.size() && own; ++a)
    own = axes[a] == Index::axis(static_cast<int>(a), map.axes[a].extent);
  return own ? map.writes[0].value : substitute_axes(map.writes[0].value, axes);
}

std::optional<std::vector<Index>> invert(const Kernel& map, const std::vector<Index>& read,
                                         const std::vector<Dim>& from_shape,
                                         const std::vector<Index>& from_point) {
  // A permutation: every axis is read at one dimension of its own, over its whole extent.
  std::vector<std::optional<Index>> axes(map.axes.size());
  bool permutes = true;
  for (size_t d = 0; d < read.size() && permutes; ++d) {
    if (read[d].is_constant(0) && from_shape[d].is_constant(1)) continue;
    if (read[d].kind() != IndexKind::axis) {
      permutes = false;
      break;
    }
    const auto axis = static_cast<size_t>(read[d].axis_id());
    if (axes[axis] || map.axes[axis].extent != from_shape[d]) {
      permutes = false;
      break;
    }
    axes[axis] = from_point[d];
  }
  if (permutes &&
      std::all_of(axes.begin(), axes.end(), [](const auto& one) { return one.has_value(); })) {
    std::vector<Index> out;
    for (const auto& axis : axes) out.push_back(*axis);
    return out;
  }
  // The same order of elements: the linear index of what is read is that of some order of the axes.
  std::vector<Dim> extents;
  std::vector<Index> own;
  for (size_t a = 0; a < map.axes.size(); ++a) {
    extents.push_back(map.axes[a].extent);
    own.push_back(Index::axis(static_cast<int>(a), map.axes[a].extent));
  }
  if (product(extents) == product(from_shape) &&
      linearize(own, extents) == linearize(read, from_shape)) {
    return delinearize(linearize(from_point, from_shape), extents);
  }
  // Cut into windows, shifted, put together again.
  return from_digits(map.axes, read, from_shape, from_point);
}

}  // namespace burin
