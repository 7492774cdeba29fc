// Sums of products of signs, 32 in a word, in register tiles (YFlows 2: output anchored).
//
// What moves along the result's contiguous axis has lanes, the other factor is one word for all of
// them. Words of the run with lanes are a plane that is staged once for all taps, margins and all
// (select/tiles/window.h), in two arrays: what is not 0 and what is below. Without lanes, rows of
// both are staged, and the constants are panels [blocks of columns][depth][columns].
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "isa/bit_rows.h"
#include "select/bits/bit_sum.h"
#include "select/tiles/window.h"
#include "select/verbs/verbs.h"

namespace burin {

struct BitPlan {
  Kernel kernel;  // with the axes that fill a window
  BitSum sum;
  isa::BitRows rows;
  const isa::Instruction *zero = nullptr, *store = nullptr;
  // Words of the run have lanes: a plane that is staged.
  std::optional<SlidingWindow> window;
  Expr present, negative;     // of an element of it, over the axes that fill
  ValueId panels = kNoValue;  // else: of constants
  int row = -1;               // the axis of a tile's rows; -1: one row
  std::vector<int> around;    // loops around rows and columns, outermost first
  std::vector<int> beside;    // ... of the constants only, inside of a staged plane
  int tile_rows = 1, vectors = 1;
  // The axis that threads share, of `around` or the one of rows; -1: none. Points of it in a part.
  int shared = -1;
  int64_t grain = 1;
  int lanes() const { return rows.lanes_count; }
  int tile_columns() const { return vectors * lanes(); }
  const Dim& extent(int axis) const { return kernel.axes[static_cast<size_t>(axis)].extent; }
};

// From how many signs in a word on counting takes less than multiplying them as floats, with what
// packing takes; 0: the machine has no rows for it.
int64_t least_signs_of_word(const Hardware& hardware);

// nullopt: the kernel is something else, or the machine has no such rows. A constant may be
// appended to `values`. `given`: verb "instruction". Nothing is shared yet.
std::optional<BitPlan> plan_bits(const Kernel& kernel, std::vector<Value>& values,
                                 const Hardware& hardware, const Given& given = {});

}  // namespace burin
