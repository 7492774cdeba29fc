// What depends on constants only, and its values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// Loads of constants of one element as what they hold.
Expr with_literals(const Expr& expr, const std::vector<Value>& values);

// What an expression over constants and the axes `over`, in this order, evaluates to; nullopt where
// that takes too long. `values` are as before.
std::optional<HostTensor> evaluated(const Expr& expr, const std::vector<Axis>& axes,
                                    const std::vector<int>& over, std::vector<Value>& values);

// Expressions of one kernel over the constants of its graph, which it adds to. Both must outlive
// it.
class KnownExpressions {
 public:
  KnownExpressions(KernelGraph& graph, const Kernel& kernel) : graph_(graph), kernel_(kernel) {}

  // Loads, literals, indices and arithmetic on them, whatever axes they depend on; and choices by
  // the place among such, where they ask for much.
  bool is_known(const Expr& expr);

  // A load of a new constant over the axes that `expr` uses, which holds its values. nullopt where
  // a size is not known, or there are more elements than `most_elements`. Equal expressions make
  // one constant.
  std::optional<Expr> compute(const Expr& expr, int64_t most_elements);

  // Whether it makes half as many bytes again of elements that are narrower than its own, or more,
  // and more than few: weights of some bits stay such, while their scales and biases are computed.
  bool unpacks(const Expr& expr) const;

 private:
  bool is_known_choice(const Expr& expr) const;
  std::string name_of(const Expr& expr, int64_t elements) const;

  KernelGraph& graph_;
  const Kernel& kernel_;
  std::map<const ExprNode*, bool> known_;
  std::vector<Expr> keep_;  // so that the addresses above stay taken
  std::map<Expr, ValueId> made_;
};

}  // namespace burin
