// Axes of a kernel on their way into another one, as they are or several as one.
#pragma once

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

 private:
  const Kernel* from_;
  Kernel* to_ = nullptr;
  std::vector<Index> replacement_;
};

}  // namespace burin
