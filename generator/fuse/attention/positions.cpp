#include "fuse/attention/positions.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/attention/attention_form.h"
#include "fuse/cascade/cascade.h"
#include "kernel/index/divisions.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

Dim points(const Kernel& kernel, const std::vector<int>& axes) {
  Dim all = 1;
  for (const int axis : axes) all *= kernel.axes[static_cast<size_t>(axis)].extent;
  return all;
}

// The attention with an axis of its own for every dimension of the product's result that is read by
// key. A let at the end, which nobody reads, keeps what these axes stand for while all axes are cut
// and renumbered: the axis and the index of each, as the point of a load.
struct Opened {
  Kernel kernel;
  size_t rows = 0;
};

// Whether a loop over the axis would divide for it.
bool divides(const Index& index, int axis) {
  std::vector<Index> divisions;
  collect_divisions(index, divisions);
  return std::any_of(divisions.begin(), divisions.end(),
                     [&](const Index& division) { return division.uses_axis(axis); });
}

std::optional<Opened> opened(const Kernel& attention, const AttentionForm& form,
                             const Value& result, ValueId id, const std::vector<Index>& read) {
  const auto by_key = [&](const Index& index) {
    return std::any_of(form.keys.begin(), form.keys.end(),
                       [&](int key) { return index.uses_axis(key); });
  };
  Opened out{attention, 0};
  Let kept;
  std::vector<Index> at = read;
  for (size_t d = 0; d < at.size(); ++d) {
    if (!by_key(at[d])) continue;
    const Index row = Index::axis(static_cast<int>(out.kernel.axes.size()), result.shape[d]);
    if (row.kind() != IndexKind::axis) return std::nullopt;
    out.kernel.axes.push_back({result.shape[d], AxisKind::parallel, "position"});
    kept.body.push_back(Expr::load(attention.writes[0].to, Type::f32, {row, at[d]}));
    at[d] = row;
    ++out.rows;
  }
  if (out.rows == 0) return std::nullopt;
  rewrite_exprs(out.kernel, [&](const Expr& expr) -> Expr {
    return expr.kind() == ExprKind::load && expr->id == id ? Expr::load(id, expr->storage, at)
                                                           : expr;
  });
  kept.accumulator.assign(kept.body.size(), Type::f32);
  for (size_t a = 0; a < out.kernel.axes.size(); ++a) kept.over.push_back(static_cast<int>(a));
  out.kernel.lets.push_back(std::move(kept));
  return out;
}

// S reads the rows where it did again; false where an axis of rows has been cut.
bool close(Kernel& kernel, const Opened& from, size_t own_lets) {
  const Let kept = std::move(kernel.lets.back());
  kernel.lets.pop_back();
  std::vector<Index> axes;
  for (size_t a = 0; a < kernel.axes.size(); ++a)
    axes.push_back(Index::axis(static_cast<int>(a), kernel.axes[a].extent));
  for (size_t row = 0; row < from.rows; ++row) {
    const Index &axis = kept.body[row]->at[0], &at = kept.body[row]->at[1];
    if (axis.kind() != IndexKind::axis) return false;
    axes[static_cast<size_t>(axis.axis_id())] = at;
  }
  for (size_t let = own_lets; let < kernel.lets.size(); ++let) {
    for (Expr& body : kernel.lets[let].body) body = substitute_axes(body, axes);
  }
  return true;
}

}  // namespace

std::optional<Kernel> fused_positions(const Kernel& product, const Kernel& attention,
                                      const std::vector<Value>& values,
                                      int64_t recomputed_operations) {
  const std::optional<AttentionForm> form = find_attention(attention, values);
  if (!form || product.writes.size() != 1) return std::nullopt;
  const Dim queries = points(form->kernel, form->queries);
  if (queries.is_constant(1)) return std::nullopt;
  const ValueId result = product.writes[0].to;
  const std::vector<std::vector<Index>> reads = load_points(attention, result);
  if (reads.size() != 1) return std::nullopt;
  // The loop over keys is the innermost one.
  for (const Index& index : reads[0]) {
    for (const int key : form->keys) {
      if (divides(index, key)) return std::nullopt;
    }
  }
  const std::optional<Opened> open =
      opened(attention, *form, values[static_cast<size_t>(result)], result, reads[0]);
  if (!open) return std::nullopt;
  const std::optional<Fusible> fusible = find_fusible(product, open->kernel);
  if (!fusible) return std::nullopt;
  Kernel all = fused(*fusible, recomputed_operations);
  const size_t own_lets = all.lets.size() - open->kernel.lets.size();
  if (!close(all, *open, own_lets)) return std::nullopt;
  const std::optional<AttentionForm> with = find_attention(all, values);
  if (!with || points(with->kernel, with->queries) != queries) return std::nullopt;
  return all;
}

}  // namespace burin
