#include "fuse/cascade/outer_axis_rows.h"

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"

namespace burin {
namespace {

// A sum of n terms one after the other is off by up to n units of its last bit.
constexpr int64_t kLongestSum = 4096;

bool is_long_sum(const Let& let, const Kernel& kernel) {
  if (let.op != Combiner::sum || !is_float(let.accumulator[0])) return false;
  Dim terms = 1;
  for (const int axis : let.reduced) terms *= kernel.axes[static_cast<size_t>(axis)].extent;
  return !proven_le(terms, kLongestSum);
}

}  // namespace

Index step_along(const Index& address, int axis) {
  const Index next = address.map_leaves([&](const Index& leaf) -> Index {
    return leaf.kind() == IndexKind::axis && leaf.axis_id() == axis ? leaf + 1 : leaf;
  });
  return next - address;
}

bool reads_along_outer_axis(const Kernel& kernel, int axis, const std::vector<Value>& values) {
  bool found = false;
  for (const Let& let : kernel.lets) {
    if (!contains(let.over, axis)) return false;
    if (let.op == Combiner::none) continue;
    bool holds = !is_long_sum(let, kernel);
    for (const Expr& body : let.body) {
      visit(body, [&](const ExprNode& node) {
        if (node.kind != ExprKind::load || !holds) return;
        const Value& value = values[static_cast<size_t>(node.id)];
        const Index at = address(value.layout, value.shape, node.at);
        if (!at.uses_axis(axis)) return;
        found = true;
        holds = step_along(at, axis).is_constant(1);
        for (const int row : let.reduced)
          holds = holds && !(at.uses_axis(row) && step_along(at, row).is_constant(1));
      });
    }
    if (!holds) return false;
  }
  return found;
}

}  // namespace burin
