// Windows: operands that neighbouring results read at overlapping places, stride*o + dilation*t.
//
// A plane is one or two result axes (rows, columns), of which the columns are contiguous in the
// result. Where an element of an operand depends on a plane axis o and a reduced axis t through
// stride*o + dilation*t only, the operand is staged: copied once, margins and all, into scratch
// memory in which every tap is a shift,
//
//   staged[channel][row phase][column phase][row][column],  row*stride + phase = stride*o + shift
//
// so the element of (o, t) lies at a place that depends on t, plus the position o.row * pitch +
// o.column. Positions run through the rows without a break; the few between one row's last result
// and the next row's first are computed and dropped. Conditions, strides, conversions and whatever
// else the element computes happen once per element and not once per tap; the loops over taps have
// none. (Output-anchored dataflow, YFlows 3: results stay in registers, inputs pass by.)
//
// Rows are staged in bands whose bytes stay in a cache; a band repeats the rows that its taps share
// with the one before. How many rows that are follows from the sizes of the call: few of wide
// planes, all of small ones.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

// One axis of the plane and the taps along it.
struct SlidingAxis {
  int output = -1;  // axis of the kernel; -1: there are no rows, only columns
  int tap = -1;     // reduced axis; -1: none
  int64_t stride = 1, dilation = 1;
  int64_t phases = 1;  // staged apart: stride, where there are taps
  int64_t step = 1;    // elements of the stage from one result's to the next one's
  Dim outputs = 1;
  Dim positions = 1;  // staged, per phase
  Dim last = 0;       // greatest stride*o + shift
  int phase = -1;     // axis of the loop that fills: number of the phase; -1: one phase
  int position = -1;  // ... and position; -1 without rows
  bool operator==(const SlidingAxis&) const = default;
};

struct SlidingWindow {
  SlidingAxis rows, columns;
  std::vector<int> outer;   // result axes that are not of the plane: loops around the stage
  std::vector<int> planes;  // reduced axes that are no taps, of which the element depends
  Dim planes_extent = 1;    // their product, times all phases
  Dim band = 1;             // rows of results that are staged together, over sizes of the caller
  bool wasteful = false;    // there are many positions between rows
  Guard taps = {};          // over reduced axes and the batch: where a tap adds something
  Expr staged;              // element over the filling axes; rows count from that of the band
  Index shift = 0;          // of an element, over the reduced axes, in elements
  Index column_shift = 0;   // what the columns' tap adds to it
  int64_t multiple = 1;     // of which a row's positions are one
  int64_t shared = 0;       // positions at the end of a row that are the next one's first
  Expr margin = {};         // what they hold
  bool operator==(const SlidingWindow&) const = default;

  const Dim& pitch() const { return columns.positions; }
  // Results that a row has place for.
  Dim places() const { return floordiv(pitch(), columns.step); }
  // Rows that results of so many rows take, and elements of all planes.
  Dim rows_of(const Dim& results) const { return results + (rows.positions - rows.outputs); }
  Dim staged_elements() const { return planes_extent * rows_of(band) * pitch(); }
  bool banded() const { return !(band == rows.outputs); }
};

// Bands that threads share: `wanted` of them, which there are unless a band would stage more for
// its neighbours than for itself. With `least` results of a band there may be fewer: as many as
// give every thread the same number. Bands of `given` rows, if that is not 0, whatever else; a
// row's positions are a `multiple` of so many. With `share_margins` what a row has behind its last
// element is the margin in front of the next one, where both hold the same: fewer positions are
// computed in vain. Behind the last row of each plane `shared` positions are to be filled then.
struct Bands {
  int64_t wanted = 1;
  int64_t least = 0;
  int64_t given = 0;
  int64_t multiple = 1;
  bool share_margins = false;
};

// The window of `element` over the result axes `outputs` (`columns` is the contiguous one) and the
// axes `reduced`; nullopt when nothing would be gained by staging or it cannot be done. Axes for
// filling are appended to the kernel. With `whole_rows` a row of the stage is one of the tensor,
// whatever the stride of its columns.
std::optional<SlidingWindow> find_window(const Expr& element, const std::vector<int>& outputs,
                                         int columns, const std::vector<int>& reduced,
                                         Kernel& kernel, const Memory& memory,
                                         const Bands& bands = {}, bool whole_rows = false);

// `output` with the first of the reduced axes that is a tap of it, or with none; nullopt: it occurs
// in another way.
std::optional<SlidingAxis> find_sliding_axis(const Expr& element, int output,
                                             const std::vector<int>& reduced, const Kernel& kernel);

// The rows of results of a band, where they are no number; the first one of the present band and
// one past its last: variables of the printed loops.
Dim band_size(const SlidingWindow& window);
Index band_first(const SlidingWindow& window);
Index band_end(const SlidingWindow& window);

// A variable of the printed loops.
Index loop_variable(const std::string& name, int64_t most = kUnbounded);

}  // namespace burin
