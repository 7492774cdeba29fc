// Expressions, guards and lets of one kernel at one point, over symbols. Only symbolic*.cpp include
// it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/symbolic/symbolic_scalar.h"

namespace burin {

class SymbolicEvaluator {
 public:
  // The element of a value at a constant point.
  using Source = std::function<MaybeElement(ValueId, const std::vector<int64_t>&)>;

  // `left` counts down; at zero everything is unknown.
  SymbolicEvaluator(const Kernel& kernel, Source source, int64_t& left);

  // Calls `body` at every point of `axes`, sequential axes slowest. False when an extent is not a
  // number, the budget is used up, or `body` returned false.
  bool each_point(const std::vector<int>& axes, const std::function<bool()>& body);

  // At the present point.
  MaybeElement element(const Expr& expr);
  std::optional<Dim> index(const Index& index);
  std::optional<bool> holds(const Guard& guard);

 private:
  using Key = std::pair<int, std::vector<int64_t>>;  // a let and its point

  MaybeElement compute(const Expr& expr);
  MaybeElement select_of(const Expr& expr);
  MaybeElement let_at(const Expr& expr);
  std::vector<MaybeElement> reduce(const Let& let);
  std::optional<std::vector<int64_t>> constants(const std::vector<Index>& at);

  const Kernel& kernel_;
  Source source_;
  int64_t& left_;
  std::vector<int64_t> point_;
  std::map<Key, std::vector<MaybeElement>> lets_;
  std::set<Key> in_progress_;
};

}  // namespace burin
