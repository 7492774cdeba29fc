// What siblings (fuse/siblings/siblings.h) do to their sums one after the other, as one list of
// steps: what some of them leave out (a key's projection has no bias, only queries are scaled) they
// do with a number that changes nothing.
#pragma once

#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

struct SiblingSteps {
  struct Step {
    Binary op;                   // add, sub, mul, div
    bool sum_first = true;       // x op operand; off: operand op x
    std::vector<Expr> operands;  // of each member, without lets
  };
  std::vector<Step> steps;  // the first of them on top of
  std::vector<Expr> inner;  // what each member begins with
};

// The expressions, one of each member, so that a member's is its `inner` with all steps done. No
// steps: nothing of this kind stands on top of them, or it is too different.
SiblingSteps same_steps(const std::vector<Expr>& exprs);

}  // namespace burin
