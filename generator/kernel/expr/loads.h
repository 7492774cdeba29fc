// The values that an expression loads.
#pragma once

#include <set>

#include "kernel/expr/expr.h"

namespace burin {

// Also those inside indices.
void add_loads(const Expr& expr, std::set<ValueId>& loads);

}  // namespace burin
