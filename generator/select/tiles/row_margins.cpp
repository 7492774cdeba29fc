#include "select/tiles/row_margins.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "support/at.h"

namespace burin {

std::optional<RowMargins> margins_of_rows(const Expr& element, const SlidingAxis& columns,
                                          const Kernel& kernel) {
  if (columns.stride != 1 || columns.tap < 0 || !columns.positions.is_constant() ||
      element.kind() != ExprKind::cases || element->cases.size() != 1)
    return std::nullopt;
  RowMargins out;
  out.fill = element->operands[0];
  if (out.fill.kind() == ExprKind::cases || !axes_of(out.fill).empty()) return std::nullopt;
  const auto axis = [&](int id) { return Index::axis(id, kernel.axes[at(id)].extent); };
  const Dim reach = (kernel.axes[at(columns.tap)].extent - 1) * columns.dilation;
  const Dim least = min(reach, 0);
  for (const Condition& one : element->cases[0].guard) {
    if (!one.index.uses_axis(columns.output) && !one.index.uses_axis(columns.tap)) continue;
    const Index first =
        one.index - axis(columns.output) - axis(columns.tap) * columns.dilation + least;
    if (!first.is_constant() || !one.lo.is_constant() || !one.hi.is_constant()) return std::nullopt;
    out.before = std::max(out.before, one.lo.constant() - first.constant());
    out.behind =
        std::max(out.behind, columns.positions.constant() + first.constant() - one.hi.constant());
  }
  return out;
}

}  // namespace burin
