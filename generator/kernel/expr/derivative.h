// Derivatives of scalar expressions, in reverse: from the whole to what it reads.
#pragma once

#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

// One place in an expression where a number of a floating type is read, a load or a let, and the
// derivative of the expression by it, times the seed.
struct Partial {
  Expr read;
  Expr factor;
};

// One for every occurrence that the expression depends on continuously; indices, conditions and
// integers have no derivative, nor have steps (floor, sign, comparisons). Of min and max, the
// operand that is taken has it; where both are equal, the first. A read inside of a case counts
// where the case holds. `seed`: of the expression's type.
std::vector<Partial> partials(const Expr& expr, const Expr& seed);

}  // namespace burin
