#include "select/regroup.h"

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
  return id;
}

int Regrouping::flatten(const std::vector<int>& axes, const char* name) {
  std::vector<Dim> extents;
  for (const int axis : axes) extents.push_back(from_->axes[static_cast<size_t>(axis)].extent);
  const int id = static_cast<int>(to_->axes.size());
  const Index flat = Index::axis(id, product(extents));
  const std::vector<Index> parts = delinearize(flat, extents);
  for (size_t i = 0; i < axes.size(); ++i) replacement_[static_cast<size_t>(axes[i])] = parts[i];
  if (flat.kind() != IndexKind::axis) return -1;
  to_->axes.push_back({product(extents), AxisKind::parallel, name});
  return id;
}

}  // namespace burin
