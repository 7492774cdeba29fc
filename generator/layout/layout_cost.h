// What a kernel costs with its operands in given layouts: an estimate from the hardware file, to
// compare layouts with and for nothing else. It counts what layouts change: how wide the loads and
// stores along the innermost loop are, what has to be packed for a product, whether a window can be
// staged. Bytes that move in any case are left out.
#pragma once

#include <optional>

#include "choice/choice.h"
#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "layout/relayout.h"
#include "select/device/tuning.h"

namespace burin {

inline constexpr Cost kCycle = 16;  // costs are sixteenths of a cycle

// Of a kernel whose values are row-major (see layout/relayout.h), at the hints of symbols.
Cost kernel_cost(const Kernel& kernel, const std::vector<Value>& values, const Hardware& hardware);

// What it saves that a kernel stores a tensor where another one was: the lines are near already.
Cost in_place_gain(const Value& value, const Hardware& hardware);

// How a kernel's cost is found.
struct CostOptions {
  bool tiled = false;              // what the kernel is another form of has tiles
  const Tuning* tuning = nullptr;  // measured times, by the content of kernels
};

// What one kernel costs with its operands in any layouts. All that chooses layouts asks here.
class LayoutCost {
 public:
  // `values` are row-major, and are so again after each question; all must outlive it.
  LayoutCost(const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware,
             const CostOptions& options = {});

  // Measured, where a tuning file knows the kernel in these layouts. Else the estimate; where the
  // file knows it in row-major order, as many times longer as it is there. Layouts in which the
  // kernel loses the tiles that it has in row-major order leave it to plain loops, one operation
  // after the other.
  Cost in(const Layouts& layouts);
  bool is_tiled();

 private:
  bool has_tiles(const Kernel& kernel) const;
  Cost scaled(Cost estimate) const;
  std::optional<Cost> measured(const Kernel& moved) const;

  const Kernel& kernel_;
  std::vector<Value>& values_;
  const Hardware& hardware_;
  const Tuning* tuning_;
  std::optional<bool> tiled_;  // found out when it is asked for
  double scale_ = 1;           // of estimates
};

}  // namespace burin
