#include "select/axes/inductions.h"

#include <algorithm>

#include "kernel/index/divisions.h"
#include "kernel/layout.h"

namespace burin {

bool divides_along(const Index& index, int axis) {
  std::vector<Index> divisions;
  collect_divisions(index, divisions);
  return std::any_of(divisions.begin(), divisions.end(),
                     [&](const Index& division) { return division.uses_axis(axis); });
}

bool divides_along(const Guard& guard, int axis) {
  return std::any_of(guard.begin(), guard.end(),
                     [&](const Condition& one) { return divides_along(one.index, axis); });
}

bool counts_along(const Expr& expr, int axis, const std::vector<Value>& values) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) {
    const bool load = node.kind == ExprKind::load;
    if (load) {
      const Value& value = values[static_cast<size_t>(node.id)];
      found = found || divides_along(address(value.layout, value.shape, node.at), axis);
    }
    if (node.kind == ExprKind::index) found = found || divides_along(node.index, axis);
    for (const Index& at : node.at)
      found = found || ((!load || at.has_data()) && divides_along(at, axis));
    for (const Expr::Case& one : node.cases) found = found || divides_along(one.guard, axis);
  });
  return found;
}

}  // namespace burin
