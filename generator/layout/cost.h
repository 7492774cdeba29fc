// What a kernel costs with its operands in given layouts: an estimate from the hardware file, to
// compare layouts with and for nothing else. It counts what layouts change: how wide the loads and
// stores along the innermost loop are, what has to be packed for a product, whether a window can be
// staged. Bytes that move in any case are left out.
#pragma once

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "layout/choice.h"
#include "layout/relayout.h"

namespace burin {

inline constexpr Cost kCycle = 16;  // costs are sixteenths of a cycle

// Of a kernel whose values are row-major (see layout/relayout.h), at the hints of symbols.
Cost kernel_cost(const Kernel& kernel, const std::vector<Value>& values, const Hardware& hardware);

// What one kernel costs with its operands in any layouts. All that chooses layouts asks here: who
// has better figures than these replaces `in`.
class LayoutCost {
 public:
  // `values` are row-major, and are so again after each question; all must outlive it.
  LayoutCost(const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware);

  // Layouts in which the kernel loses the tiles that it has in row-major order leave it to plain
  // loops, one operation after the other.
  Cost in(const Layouts& layouts);

 private:
  bool has_tiles(const Kernel& kernel) const;

  const Kernel& kernel_;
  std::vector<Value>& values_;
  const Hardware& hardware_;
  bool tiled_ = false;
};

}  // namespace burin
