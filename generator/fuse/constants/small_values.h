// The few numbers that an element can be: what Sign, comparisons, clipped rounding and choices
// among constants leave.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "kernel/kernel.h"

namespace burin {

inline constexpr size_t kMostNumbers = 4;

class SmallValues {
 public:
  // Of the steps of a graph and of all blocks inside of it; both must outlive it.
  SmallValues(const Steps& steps, const std::vector<Value>& values);

  // All numbers that an expression of a kernel can be, for whatever inputs but NaN; nullopt: they
  // are more than kMostNumbers, or nobody knows. Follows what a tensor is made from. Each node is
  // looked at once.
  std::optional<std::set<double>> numbers_of(const Expr& expr);

  // The map that alone makes a value, once; null: there is none.
  const Kernel* maker(ValueId id) const;
  // Whether all that a kernel reads keeps its contents once it is there: it may run later.
  bool reads_are_stable(const Kernel& kernel) const;

 private:
  std::optional<std::set<double>> of_node(const Expr& expr);
  std::optional<std::set<double>> of_value(ValueId id);
  std::optional<std::set<double>> of_constant(const Value& value) const;
  std::optional<std::set<double>> clipped(const Expr& expr);
  std::optional<std::set<double>> computed(const Expr& expr);
  bool is_whole(const Expr& expr, int depth);
  bool is_whole_node(const Expr& expr, int depth);

  const std::vector<Value>& values_;
  std::map<ValueId, const Kernel*> makers_;
  std::map<ValueId, int> writers_;
  std::map<ValueId, std::optional<std::set<double>>> known_;
  // By node: shared ones are asked once.
  std::map<const ExprNode*, std::optional<std::set<double>>> known_nodes_;
  std::map<const ExprNode*, bool> whole_;
  std::vector<Expr> keep_;  // so that the addresses above stay taken
  int depth_ = 0;  // of expressions and of tensors that are made from others
};

}  // namespace burin
