// Where a rounding would show as another result: what is compared, rounded to whole numbers, made
// an integer or an index, or chosen as the greatest. Sums of floats end it: their order is free
// anyway (kernel/README.md).
#pragma once

#include <set>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Tensors that some step uses in such a way.
std::set<ValueId> exact_values(const KernelGraph& graph);

struct ExactUses {
  std::vector<char> lets;    // of a kernel: those whose bodies may not round in another way
  std::vector<char> writes;  // and writes
};
ExactUses exact_uses(const Kernel& kernel, const std::set<ValueId>& values);

// Calls for every part of `expr`, parents first, with whether its roundings show where those of
// `expr` do or not.
void visit_exactness(const Expr& expr, bool exact,
                     const std::function<void(const ExprNode&, bool exact)>& on_node);

// Whether those of operand number `operand` show whatever comes later.
bool shows_roundings(const ExprNode& node, size_t operand);

}  // namespace burin
