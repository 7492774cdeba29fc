// Axes of a kernel on their way into another one, as they are or several as one.
#pragma once

#include <map>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

Dim extent_of(const Kernel& kernel, const std::vector<int>& axes);

class Regrouping {
 public:
  // `to` becomes a copy of `from` without axes.
  Regrouping(const Kernel& from, Kernel& to);
  void into(Kernel& to) { to_ = &to; }

  // The axis in the other kernel.
  int keep(int axis);
  // The product of axes as one, -1 where that has one point; each is then a function of it.
  int flatten(const std::vector<int>& axes, const char* name);

  Expr moved(const Expr& expr) const { return substitute_axes(expr, replacement_); }
  Guard moved(const Guard& guard) const { return substitute_axes(guard, replacement_); }
  Index moved(const Index& index) const { return index.substitute_axes(replacement_); }
  const Index& moved_axis(int axis) const { return replacement_[static_cast<size_t>(axis)]; }
  // The same axes in the other kernel, ascending.
  std::vector<int> moved(const std::vector<int>& axes) const;

  // The same, once the lets have moved to `to`, of what reads them.
  Expr moved_in(const Kernel& to, const Expr& expr) const;

  // The lets and the write over the other kernel's axes.
  // False where one runs over some of the axes that became one, but not over all.
  bool move_lets(Kernel& to) const;

 private:
  // Where a let is read, along an axis of the other kernel; `at`: along the old ones.
  Index joined(const Let& let, const std::vector<Index>& at, int axis) const;

  const Kernel* from_;
  Kernel* to_ = nullptr;
  std::vector<Index> replacement_;
  std::map<int, int> new_axis_;           // -1: none
  std::vector<std::vector<int>> groups_;  // that became one
};

}  // namespace burin
