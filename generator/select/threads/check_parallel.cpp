// The checker of cuts, from the definition: why calls for different chunks could disturb each
// other, or compute something else than one call for all points.
#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "select/threads/fused_copies.h"
#include "select/threads/parallel.h"

namespace burin {
namespace {

std::string check_reads(const LoopPlan& schedule, int axis) {
  const Kernel& kernel = schedule.kernel;
  std::string fault;
  std::vector<ValueId> written;
  for (const Write& write : kernel.writes) written.push_back(write.to);
  const auto on_expr = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load &&
          std::find(written.begin(), written.end(), node.id) != written.end())
        fault = "what the kernel writes is read";
      if (node.kind != ExprKind::let) return;
      const Let& let = kernel.lets[static_cast<size_t>(node.id)];
      for (size_t k = 0; k < let.over.size(); ++k) {
        if (let.over[k] != axis) continue;
        if (node.at[k].kind() != IndexKind::axis || node.at[k].axis_id() != axis)
          fault = "a let is read at another point of the axis that is cut";
      }
    });
  };
  const auto on_index = [&](const Index& index) { on_expr(Expr::index(index)); };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) on_index(index);
    for (const Condition& condition : write.when) {
      for (const Index* part : {&condition.index, &condition.lo, &condition.hi}) on_index(*part);
    }
    on_expr(write.value);
  }
  return fault;
}

// Positions of a window run through the rows of a band, and all columns, without a break; so do
// results of a tile of the plane.
bool runs_through(const LoopPlan& schedule, int axis) {
  if (!schedule.contraction || !schedule.contraction->window) return false;
  const SlidingWindow& window = *schedule.contraction->window;
  const std::optional<Winograd>& few = schedule.contraction->winograd;
  if (few && (axis == few->row || axis == few->column)) return true;
  return axis == window.columns.output || (axis == window.rows.output && !window.banded());
}

std::string check_axis(const LoopPlan& schedule, const CutAxis& cut) {
  const Kernel& kernel = schedule.kernel;
  if (cut.axis < 0 || static_cast<size_t>(cut.axis) >= kernel.axes.size() || cut.grain < 1)
    return "the cut names no axis";
  if (kernel.axes[static_cast<size_t>(cut.axis)].kind != AxisKind::parallel)
    return "the axis that is cut is not parallel";
  if (cut.grain % together_along(schedule, cut.axis) != 0)
    return schedule.contraction && cut.axis == schedule.contraction->m
               ? "a chunk ends inside of rows that are multiplied together"
               : "a chunk ends inside of points that are taken together";
  if (runs_through(schedule, cut.axis)) return "positions of a window run through the axis";
  for (const Let& let : kernel.lets) {
    if (contains(let.reduced, cut.axis)) return "a let reduces the axis that is cut";
    // Every call makes what does not run over the axis, if loops are generic ones.
    if (!contains(let.over, cut.axis) && (schedule.contraction || schedule.attention))
      return "a let does not run over the axis that is cut";
  }
  for (const Write& write : kernel.writes) {
    if (write.how != How::store) return "a write combines with what was there";
  }
  return check_reads(schedule, cut.axis);
}

// Two axes: of a product that makes nothing of whole rows and packs none.
std::string check_across(const LoopPlan& schedule) {
  const Cut& cut = *schedule.cut;
  if (cut.across->axis == cut.axis) return "an axis is cut twice";
  if (!schedule.contraction || !schedule.loops.empty())
    return "two axes are cut of what is no product alone";
  const ContractionSchedule& product = *schedule.contraction;
  if (product.row_epilogue || schedule.second)
    return "whole rows are finished, and two axes are cut";
  if (product.packs_rows()) return "rows are packed, and two axes are cut";
  for (const Write& write : schedule.kernel.writes) {
    if (!contains(write.over, cut.axis) || !contains(write.over, cut.across->axis))
      return "a write does not run over the axes that are cut";
  }
  return {};
}

}  // namespace

std::string check_cut(const LoopPlan& schedule) {
  if (!schedule.cut) return {};
  for (const CutAxis& axis : schedule.cut->axes()) {
    std::string fault = check_axis(schedule, axis);
    if (!fault.empty()) return fault;
  }
  return schedule.cut->across ? check_across(schedule) : check_fused_copies(schedule);
}

}  // namespace burin
