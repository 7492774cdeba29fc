// What a kernel costs with its operands in given layouts: an estimate from the hardware file, to
// compare layouts with and for nothing else. It counts what layouts change: how wide the loads and
// stores along the innermost loop are, what has to be packed for a product, whether a window can be
// staged. Bytes that move in any case are left out.
#pragma once

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "layout/choice.h"

namespace burin {

inline constexpr Cost kCycle = 16;  // costs are sixteenths of a cycle

// Of a kernel whose values are row-major (see layout/relayout.h), at the hints of symbols.
Cost kernel_cost(const Kernel& kernel, const std::vector<Value>& values, const Hardware& hardware);

// Of writing `value` once more in another layout: a read and a write of every element, one of them
// along the other's order.
Cost conversion_cost(const Value& value, const Hardware& hardware);

}  // namespace burin
