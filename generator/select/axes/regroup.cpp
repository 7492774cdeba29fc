#include "select/axes/regroup.h"

#include <algorithm>

#include "kernel/layout.h"

namespace burin {

Dim extent_of(const Kernel& kernel, const std::vector<int>& axes) {
  Dim all = 1;
  for (const int axis : axes) all *= kernel.axes[static_cast<size_t>(axis)].extent;
  return all;
}

Regrouping::Regrouping(const Kernel& from, Kernel& to)
    : from_(&from), replacement_(from.axes.size(), Index(0)) {
  to = from;
  to.axes.clear();
  into(to);
}

int Regrouping::keep(int axis) {
  const Axis& old = from_->axes[static_cast<size_t>(axis)];
  const int id = static_cast<int>(to_->axes.size());
  replacement_[static_cast<size_t>(axis)] = Index::axis(id, old.extent);
  to_->axes.push_back(old);
  return new_axis_[axis] = id;
}

int Regrouping::flatten(const std::vector<int>& axes, const char* name) {
  std::vector<Dim> extents;
  for (const int axis : axes) extents.push_back(from_->axes[static_cast<size_t>(axis)].extent);
  const int id = static_cast<int>(to_->axes.size());
  const Index flat = Index::axis(id, product(extents));
  const std::vector<Index> parts = delinearize(flat, extents);
  for (size_t i = 0; i < axes.size(); ++i) replacement_[static_cast<size_t>(axes[i])] = parts[i];
  const bool one_point = flat.kind() != IndexKind::axis;
  for (const int axis : axes) new_axis_[axis] = one_point ? -1 : id;
  groups_.push_back(axes);
  if (one_point) return -1;
  to_->axes.push_back({product(extents), AxisKind::parallel, name});
  return id;
}

std::vector<int> Regrouping::moved(const std::vector<int>& axes) const {
  std::vector<int> out;
  for (const int axis : axes) {
    const int id = new_axis_.at(axis);
    if (id >= 0 && std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Index Regrouping::joined(const Let& let, const std::vector<Index>& at, int axis) const {
  const auto read = [&](int old) {
    const auto place = std::find(let.over.begin(), let.over.end(), old) - let.over.begin();
    return at[static_cast<size_t>(place)];
  };
  for (const std::vector<int>& group : groups_) {
    if (group.empty() || new_axis_.at(group[0]) != axis) continue;
    Index flat = 0;
    for (const int old : group)
      flat = flat * from_->axes[static_cast<size_t>(old)].extent + read(old);
    return flat;
  }
  const auto kept = std::find_if(let.over.begin(), let.over.end(),
                                 [&](int old) { return new_axis_.at(old) == axis; });
  return read(*kept);
}

// References to lets name their new axes; everything else moves with the axes.
Expr Regrouping::moved_in(const Kernel& to, const Expr& expr) const {
  const auto on_expr = [&](const Expr& one) -> Expr {
    if (one.kind() != ExprKind::let) return one;
    std::vector<Index> at;
    for (const int axis : to.lets[static_cast<size_t>(one->id)].over)
      at.push_back(joined(from_->lets[static_cast<size_t>(one->id)], one->at, axis));
    return Expr::let(one->id, one.type(), std::move(at), one->component);
  };
  return rewrite(expr, on_expr, [&](const Index& leaf) {
    return leaf.kind() == IndexKind::axis ? moved_axis(leaf.axis_id()) : leaf;
  });
}

bool Regrouping::move_lets(Kernel& to) const {
  const auto all_or_none = [&](const std::vector<int>& axes) {
    return std::all_of(groups_.begin(), groups_.end(), [&](const std::vector<int>& group) {
      const auto count = std::count_if(group.begin(), group.end(), [&](int axis) {
        return std::find(axes.begin(), axes.end(), axis) != axes.end();
      });
      return count == 0 || count == static_cast<std::ptrdiff_t>(group.size());
    });
  };
  const auto takes_all = [&](const std::vector<int>& axes) {
    return std::all_of(axes.begin(), axes.end(),
                       [&](int axis) { return new_axis_.contains(axis); });
  };
  for (size_t i = 0; i < from_->lets.size(); ++i) {
    const Let& let = from_->lets[i];
    if (!takes_all(let.over) || !takes_all(let.reduced)) return false;
    if (!all_or_none(let.over) || !all_or_none(let.reduced)) return false;
    Let& out = to.lets[i];
    out.over = moved(let.over);
    out.reduced = moved(let.reduced);
    for (Expr& body : out.body) body = moved_in(to, body);
  }
  for (Write& write : to.writes) {
    write.over = moved(write.over);
    write.value = moved_in(to, write.value);
    for (Index& index : write.at) index = moved(index);
    write.when = moved(write.when);
  }
  return true;
}

}  // namespace burin
