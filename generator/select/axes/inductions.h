// Which axes need an induction variable when a loop runs along them: parts of an axis (i // c, i %
// c) that something else than an address is made of, or that an address does not put together
// again.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

bool divides_along(const Index& index, int axis);
bool divides_along(const Guard& guard, int axis);
// What is loaded does not need the parts of an axis where its address runs on without them.
bool counts_along(const Expr& expr, int axis, const std::vector<Value>& values);

}  // namespace burin
