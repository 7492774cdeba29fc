#include "fuse/movement/demand_slicing.h"

#include <algorithm>
#include <optional>

#include "fuse/access/access.h"
#include "kernel/index/size_bound.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/split_axes.h"

namespace burin {
namespace {

// Of one dimension: [first, first + extent).
struct NarrowPart {
  Dim first, extent;
};

// The axis that alone writes a dimension, and does nothing else there: what runs along it can be
// counted from another element on, and ended earlier. -1: there is none.
int axis_of(const Kernel& kernel, size_t dimension) {
  const std::vector<Index>& at = kernel.writes[0].at;
  if (at[dimension].kind() != IndexKind::axis) return -1;
  const int axis = at[dimension].axis_id();
  if (kernel.axes[static_cast<size_t>(axis)].kind != AxisKind::parallel) return -1;
  for (size_t d = 0; d < at.size(); ++d) {
    if (d != dimension && at[d].uses_axis(axis)) return -1;
  }
  bool alone = true;
  // A let that is read from another point of the axis (a table of positions) needs more of it than
  // is written.
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind != ExprKind::let) return;
    const Let& let = kernel.lets[static_cast<size_t>(node.id)];
    for (size_t k = 0; k < let.over.size(); ++k)
      alone = alone && (let.over[k] != axis || node.at[k] == at[dimension]);
  };
  for (const Let& let : kernel.lets) {
    alone = alone && std::find(let.reduced.begin(), let.reduced.end(), axis) == let.reduced.end();
    for (const Expr& body : let.body) visit(body, on_node);
  }
  visit(kernel.writes[0].value, on_node);
  for (const Index& index : at) visit(index, on_node);
  return alone ? axis : -1;
}

Dim lower(const Dim& a, const Dim& b, const Dim& otherwise) {
  if (proven_le(a, b)) return a;
  return proven_le(b, a) ? b : otherwise;
}

// What all points keep to in one dimension of `whole` elements; nullopt where it is all of it, or
// not known before the run.
std::optional<NarrowPart> part_of(const std::vector<std::vector<Index>>& points, size_t dimension,
                                  const Dim& whole) {
  std::optional<Dim> first, last;
  for (const std::vector<Index>& point : points) {
    const std::optional<Dim> lowest = point[dimension].lower_bound(),
                             highest = point[dimension].upper_bound();
    if (!lowest || !highest) return std::nullopt;
    first = first ? lower(*first, *lowest, 0) : *lowest;
    last = last ? -lower(-*last, -*highest, 1 - whole) : *highest;
  }
  // What lies outside is read by nobody: a guard keeps the readers from it.
  if (!proven_nonnegative(*first)) first = 0;
  if (!proven_lt(*last, whole)) last = whole - 1;
  const NarrowPart part = {*first, *last - *first + 1};
  const bool smaller = at_hints(part.extent) < at_hints(whole) && proven_nonnegative(part.extent) &&
                       proven_le(part.first + part.extent, whole);
  if (!smaller || !is_known_before_run(part.first) || !is_known_before_run(part.extent))
    return std::nullopt;
  return part;
}

// The kernel with `axis`, along which it writes `dimension`, running over the part only.
Kernel with_part(Kernel kernel, int axis, size_t dimension, const NarrowPart& part) {
  std::vector<Index> moved;
  for (size_t a = 0; a < kernel.axes.size(); ++a)
    moved.push_back(Index::axis(static_cast<int>(a), kernel.axes[a].extent));
  const Index place = Index::axis(axis, part.extent);
  moved[static_cast<size_t>(axis)] = place + part.first;
  kernel.axes[static_cast<size_t>(axis)].extent = part.extent;
  for (Let& let : kernel.lets) {
    for (Expr& body : let.body) body = substitute_axes(body, moved);
  }
  Write& write = kernel.writes[0];
  write.value = substitute_axes(write.value, moved);
  for (Index& index : write.at) index = index.substitute_axes(moved);
  write.at[dimension] = place;
  // Lets over the axis begin at the same element as the axis does.
  rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    const std::vector<int>& over = kernel.lets[static_cast<size_t>(expr->id)].over;
    std::vector<Index> at = expr->at;
    for (size_t k = 0; k < over.size(); ++k) {
      if (over[k] == axis) at[k] = place;
    }
    return Expr::let(expr->id, expr.type(), std::move(at), expr->component);
  });
  // An axis of one element is none.
  if (!part.extent.is_constant(1)) return kernel;
  return split_axes(kernel, std::vector<std::vector<Dim>>(kernel.axes.size()));
}

Kernel reading_from(Kernel reader, ValueId value, size_t dimension, const Dim& first) {
  rewrite_exprs(reader, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load || expr->id != value) return expr;
    std::vector<Index> at = expr->at;
    at[dimension] -= first;
    return Expr::load(value, expr->storage, std::move(at));
  });
  return reader;
}

}  // namespace

void slice_to_demand(BlockSteps& block, int at) {
  const Kernel& kernel = *block.kernel(at);
  if (kernel.writes.size() != 1) return;
  const Write& write = kernel.writes[0];
  const ValueId value = write.to;
  const std::set<int> readers = block.readers(value);
  if (write.how != How::store || !write.when.empty() || !block.is_private(value) ||
      readers.empty() || readers.count(at))
    return;
  std::vector<std::vector<Index>> points;
  for (const int reader : readers) {
    const Kernel* one = block.kernel(reader);
    if (!one) return;
    for (std::vector<Index>& point : load_points(*one, value)) points.push_back(std::move(point));
  }
  const size_t rank = write.at.size();  // `kernel` is replaced
  for (size_t d = 0; d < rank; ++d) {
    const Dim whole = block.value(value).shape[d];
    const int axis = axis_of(*block.kernel(at), d);
    const std::optional<NarrowPart> part = axis < 0 ? std::nullopt : part_of(points, d, whole);
    if (!part) continue;
    block.replace(at, with_part(*block.kernel(at), axis, d, *part));
    for (const int reader : readers)
      block.replace(reader, reading_from(*block.kernel(reader), value, d, part->first));
    block.values()[static_cast<size_t>(value)].shape[d] = part->extent;
  }
}

}  // namespace burin
