// What expressions of a kernel lie between at all of its points together (element_ranges.h).
#pragma once

#include <optional>
#include <set>

#include "kernel/symbolic/symbolic.h"

namespace burin {

class ElementRanges;

// Of whatever a type holds.
SymbolicElement range_of_type(Type type);
// The ends of a range, where they are whole numbers.
std::optional<ElementBounds> whole_ends(const SymbolicElement& a);

class KernelRanges {
 public:
  KernelRanges(ElementRanges& tensors, const Kernel& kernel) : tensors_(tensors), kernel_(kernel) {}

  SymbolicElement of(const Expr& expr);

 private:
  using MaybeElement = std::optional<SymbolicElement>;

  MaybeElement computed(const Expr& expr);
  MaybeElement of_index(const Index& index);
  MaybeElement of_let(const Let& let, size_t component);
  MaybeElement of_unary(Unary op, const Expr& operand);
  MaybeElement of_binary(Binary op, const Expr& x, const Expr& y);
  MaybeElement of_select(const Expr& expr);
  MaybeElement of_cast(const Expr& operand, Type to, CastMode mode);
  static MaybeElement product_with(Type type, const ElementBounds& a, const ElementBounds& b);
  static MaybeElement of_extreme(Binary op, Type type, const SymbolicElement& a,
                                 const SymbolicElement& b);

  ElementRanges& tensors_;
  const Kernel& kernel_;
  std::set<const Let*> in_progress_;
};

}  // namespace burin
