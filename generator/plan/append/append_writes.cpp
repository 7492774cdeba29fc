#include "plan/append/append_writes.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "support/at.h"

namespace burin {
namespace {

// Axis `axis` now runs over what lies behind `begin`.
std::vector<Index> behind(const Kernel& kernel, int axis, const Dim& begin, const Dim& extent) {
  std::vector<Index> to;
  int next = 0;
  for (size_t i = 0; i < kernel.axes.size(); ++i) {
    const bool cut = static_cast<int>(i) == axis;
    if (cut && extent.is_constant(1)) {
      to.push_back(begin);
    } else {
      const Index own = Index::axis(next++, cut ? extent : kernel.axes[i].extent);
      to.push_back(cut ? own + begin : own);
    }
  }
  return to;
}

}  // namespace

bool is_whole(const Kernel& kernel, const Write& write, const std::vector<Dim>& shape) {
  if (!write.when.empty() || write.how != How::store) return false;
  std::vector<int> axes;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Index& index = write.at[d];
    if (index.is_constant(0) && shape[d].is_constant(1)) continue;
    if (index.kind() != IndexKind::axis || contains(axes, index.axis_id())) return false;
    axes.push_back(index.axis_id());
    if (!(kernel.axes[at(axes.back())].extent == shape[d])) return false;
  }
  return axes.size() == write.over.size();
}

bool runs_over(const std::vector<Let>& lets, int axis) {
  return std::any_of(lets.begin(), lets.end(), [&](const Let& let) {
    return contains(let.over, axis) || contains(let.reduced, axis);
  });
}

bool is_old(const Expr& value, const Write& write, ValueId state) {
  if (write.zeros_for_caller && value.kind() == ExprKind::select &&
      value->operands[2].kind() == ExprKind::constant)
    return is_old(value->operands[1], write, state);
  return value.kind() == ExprKind::load && value->id == state && value->at == write.at;
}

std::optional<ValueId> copied_by(const Kernel& kernel) {
  if (!kernel.lets.empty() || kernel.writes.size() != 1) return std::nullopt;
  const Write& write = kernel.writes[0];
  const bool plain = write.when.empty() && write.how == How::store &&
                     write.value.kind() == ExprKind::load && write.value->at == write.at;
  if (!plain) return std::nullopt;
  std::vector<int> axes;
  for (const Index& index : write.at) {
    if (index.is_constant(0)) continue;
    if (index.kind() != IndexKind::axis || contains(axes, index.axis_id())) return std::nullopt;
    axes.push_back(index.axis_id());
  }
  return axes.size() == write.over.size() ? std::optional(write.value->id) : std::nullopt;
}

std::optional<size_t> bind_of(const Steps& steps, const Dim& size) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto* bind = std::get_if<Bind>(&steps[i]);
    if (bind && bind->value.kind() == ExprKind::index && bind->value->index == size) return i;
  }
  return std::nullopt;
}

AppendWrite append_write(const Kernel& kernel, const Write& write, const Append& append,
                         const std::vector<Value>& values) {
  const std::vector<Dim>&before = values[at(append.state)].shape,
        &after = values[at(append.grown.front())].shape;
  const Dim& old = before[at(append.dimension)];
  const Index& along = write.at[at(append.dimension)];
  if (is_old(write.value, write, append.state) && is_whole(kernel, write, before))
    return AppendWrite::old;
  if (write.value.kind() == ExprKind::cases && is_whole(kernel, write, after)) {
    const Expr::Case& first = write.value->cases.front();
    const bool below = first.guard.size() == 1 && first.guard[0].index == along &&
                       proven_le(first.guard[0].lo, 0) && first.guard[0].hi == old;
    const bool alone = along.kind() == IndexKind::axis && kernel.writes.size() == 1 &&
                       !runs_over(kernel.lets, along.axis_id());
    if (below && alone && is_old(first.value, write, append.state)) return AppendWrite::both;
  }
  const std::optional<Dim> lowest = along.has_data() ? std::nullopt : along.lower_bound();
  return lowest && proven_le(old, *lowest) ? AppendWrite::added : AppendWrite::other;
}

Kernel along_part(const Kernel& kernel, int axis, const Dim& begin, const Dim& extent) {
  const std::vector<Index> to = behind(kernel, axis, begin, extent);
  const bool gone = extent.is_constant(1);
  const auto renumber = [&](std::vector<int>& axes) {
    if (!gone) return;
    std::erase(axes, axis);
    for (int& one : axes) one -= one > axis ? 1 : 0;
  };
  Kernel out = kernel;
  if (gone)
    out.axes.erase(out.axes.begin() + axis);
  else
    out.axes[at(axis)].extent = extent;
  for (Let& let : out.lets) {
    renumber(let.over);
    renumber(let.reduced);
    for (Expr& body : let.body) body = substitute_axes(body, to);
  }
  Write& write = out.writes[0];
  renumber(write.over);
  for (Index& index : write.at) index = index.substitute_axes(to);
  write.value = substitute_axes(write.value, to);
  write.when = substitute_axes(write.when, to);
  return out;
}

Kernel without_old(const Kernel& kernel, const Append& append, const std::vector<Value>& values) {
  const Dim& begin = values[at(append.state)].shape[at(append.dimension)];
  const int axis = kernel.writes[0].at[at(append.dimension)].axis_id();
  Kernel fresh = kernel;
  const Expr& value = kernel.writes[0].value;
  std::vector<Expr::Case> rest(value->cases.begin() + 1, value->cases.end());
  const Expr otherwise = value->operands[0];
  fresh.writes[0].value = rest.empty() ? otherwise : Expr::cases(std::move(rest), otherwise);
  return along_part(fresh, axis, begin, kernel.axes[at(axis)].extent - begin);
}

}  // namespace burin
