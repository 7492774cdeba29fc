#include "fuse/attention/sinks.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

constexpr int64_t kMostSinks = 8;

Index own_index(const Kernel& kernel, int axis) {
  return Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
}

// The range that a reader keeps to, of the dimension that an axis of the softmax writes.
struct SinkPart {
  size_t dimension = 0;
  int axis = 0;
  Dim first, extent, whole;

  int64_t others() const { return (whole - extent).constant(); }
  // The elements outside of the range.
  Index other(int64_t number) const {
    const Index before = first;
    return before.is_constant() && number < before.constant() ? Index(number) : extent + number;
  }
};

std::optional<SinkPart> part_of(const Kernel& softmax, const Kernel& reader) {
  const Write& write = softmax.writes[0];
  const std::vector<std::vector<Index>> points = load_points(reader, write.to);
  if (points.size() != 1) return std::nullopt;
  std::optional<SinkPart> found;
  for (size_t d = 0; d < write.at.size(); ++d) {
    if (write.at[d].kind() != IndexKind::axis) continue;
    const int axis = write.at[d].axis_id();
    const Dim& whole = softmax.axes[static_cast<size_t>(axis)].extent;
    const std::optional<Dim> least = points[0][d].lower_bound(), most = points[0][d].upper_bound();
    if (!least || !most) return std::nullopt;
    const Dim extent = *most - *least + 1;
    if (extent == whole) continue;
    if (found || !least->is_constant() || !(whole - extent).is_constant()) return std::nullopt;
    found = SinkPart{d, axis, *least, extent, whole};
    if (least->constant() < 0 || found->others() < least->constant() ||
        found->others() > kMostSinks)
      return std::nullopt;
  }
  return found;
}

// Every reduction runs over the axis alone, and nothing runs over it besides what is written.
bool reduces_only(const Kernel& softmax, int axis) {
  return std::all_of(softmax.lets.begin(), softmax.lets.end(), [&](const Let& let) {
    return let.reduced == std::vector<int>{axis} && let.body.size() == 1 &&
           !contains(let.over, axis) && (let.op == Combiner::sum || let.op == Combiner::max);
  });
}

Kernel over_part(const Kernel& softmax, const SinkPart& part) {
  std::vector<Index> own;
  for (size_t a = 0; a < softmax.axes.size(); ++a)
    own.push_back(own_index(softmax, static_cast<int>(a)));
  const auto moved = [&](const Expr& expr, const Index& place) {
    std::vector<Index> axes = own;
    axes[static_cast<size_t>(part.axis)] = place;
    return substitute_axes(expr, axes);
  };
  // Two lets for each: over the part, and with the others.
  const auto renumbered = [&](const Expr& expr) {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          return Expr::let(2 * one->id + 1, one.type(), one->at, one->component);
        },
        [](const Index& leaf) { return leaf; });
  };
  Kernel out = softmax;
  out.axes[static_cast<size_t>(part.axis)].extent = part.extent;
  const Index inside = Index::axis(part.axis, part.extent);
  out.lets.clear();
  for (const Let& let : softmax.lets) {
    const Expr body = renumbered(let.body[0]);
    Let kept = let;
    kept.body = {moved(body, inside + part.first)};
    std::vector<Index> point;
    for (const int axis : let.over) point.push_back(own_index(softmax, axis));
    Let all;
    all.over = let.over;
    all.accumulator = let.accumulator;
    Expr value = Expr::let(static_cast<int>(out.lets.size()), body.type(), std::move(point));
    for (int64_t i = 0; i < part.others(); ++i) {
      const Expr other = moved(body, part.other(i));
      value = let.op == Combiner::max ? max(value, other) : value + other;
    }
    all.body = {std::move(value)};
    out.lets.push_back(std::move(kept));
    out.lets.push_back(std::move(all));
  }
  Write& write = out.writes[0];
  write.value = moved(renumbered(write.value), inside + part.first);
  write.at[part.dimension] = inside;
  return out;
}

Kernel reading_part(Kernel reader, ValueId value, const SinkPart& part) {
  rewrite_exprs(reader, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load || expr->id != value) return expr;
    std::vector<Index> place = expr->at;
    place[part.dimension] -= part.first;
    return Expr::load(value, expr->storage, std::move(place));
  });
  return reader;
}

}  // namespace

std::optional<WithoutSinks> without_sinks(BlockSteps& block, int softmax_at, const Kernel& reader) {
  const Kernel& softmax = *block.kernel(softmax_at);
  if (softmax.lets.empty() || softmax.writes.size() != 1) return std::nullopt;
  const std::optional<SinkPart> part = part_of(softmax, reader);
  if (!part || !reduces_only(softmax, part->axis)) return std::nullopt;
  for (const ValueId id : reads_of(softmax)) {
    const int place = block.only_maker(id);
    if (place < 0 || !is_map(*block.kernel(place)) || !is_concat(*block.kernel(place))) continue;
    WithoutSinks out;
    out.concat = place;
    out.softmax = over_part(inlined(softmax, *block.kernel(place)), *part);
    out.reader = reading_part(reader, softmax.writes[0].to, *part);
    return out;
  }
  return std::nullopt;
}

}  // namespace burin
