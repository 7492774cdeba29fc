#include "select/tiles/window_guards.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "select/axes/guards.h"

namespace burin {
namespace {

bool has_condition(const Guard& guard, const Condition& condition) {
  return std::find(guard.begin(), guard.end(), condition) != guard.end();
}

bool moves_with_any(const Condition& condition, const std::vector<int>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](int axis) {
    return condition.index.uses_axis(axis) || condition.lo.uses_axis(axis) ||
           condition.hi.uses_axis(axis);
  });
}

// Whether all loads of an expression lie inside of their tensors, by the ranges of axes or by a
// condition that says just that.
bool reads_inside(const Expr& expr, const Guard& guard, const std::vector<Value>& values) {
  bool inside = true;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const std::vector<Dim>& shape = values[static_cast<size_t>(node.id)].shape;
    for (size_t d = 0; d < node.at.size(); ++d) {
      const Index& at = node.at[d];
      const bool proven = proven_le(0, at) && proven_lt(at, shape[d]);
      const bool said = std::any_of(guard.begin(), guard.end(), [&](const Condition& one) {
        return one.index == at && proven_le(0, one.lo) && proven_le(one.hi, shape[d]);
      });
      inside = inside && (proven || said);
    }
  });
  return inside;
}
// The same of an element, whose one case has its condition for itself.
bool reads_inside(const Expr& element, const std::vector<Value>& values) {
  if (element.kind() != ExprKind::cases || element->cases.size() != 1)
    return reads_inside(element, {}, values);
  return reads_inside(element->cases[0].value, element->cases[0].guard, values) &&
         reads_inside(element->operands[0], {}, values);
}

}  // namespace

SlidingOperand sliding_operand(const Expr& element, const Guard& written,
                               const std::vector<int>& outputs, const std::vector<Value>& values) {
  SlidingOperand out{element, {}};
  for (const Condition& one : conditions_of(element)) {
    if (has_condition(written, one)) out.element = assume(out.element, one, true);
  }
  // Where such a condition fails the element is zero, and the tap adds nothing.
  const Expr& rest = out.element;
  if (rest.kind() == ExprKind::cases && rest->cases.size() == 1 &&
      rest->operands[0].is_constant(0)) {
    for (const Condition& one : rest->cases[0].guard) {
      if (!moves_with_any(one, outputs) && !one.index.has_data()) out.taps.push_back(one);
    }
  }
  for (const Condition& one : out.taps) out.element = assume(out.element, one, true);
  if (out.element == element || !reads_inside(out.element, values)) return {element, {}};
  return out;
}

}  // namespace burin
