// Axes as products of axes.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Axes are replaced by products of axes where accesses divide them: i // c and i % c vanish when i
// runs over (i0, i1) with i = c*i0 + i1 (SmartMem 3.2.1: common refinement of all accesses'
// splits).
Kernel split_axes(const Kernel& kernel);
// With the divisors of each axis given, smallest first, each dividing the next. Where the last one
// does not divide the extent, the new axes run beyond it: the caller guards them.
Kernel split_axes(const Kernel& kernel, const std::vector<std::vector<Dim>>& chains);
// Whether an axis is neither sequential nor kept whole by a let that is read at another point.
bool may_split(const Kernel& kernel, int axis);

}  // namespace burin
