// Factors that are computed while their panels are packed: in pieces along the depth.
//
// A panel lies [depth][lanes], and what it is made of mostly [lanes][depth]: packed point by point,
// the lanes of a row come from different places, and no compiler computes them side by side. A
// piece of one lane along the depth is computed in vector registers, then moved to its
// places. What says where a lane lies, and whether it is there at all, is then found once per lane;
// where it is dynamic how many lanes there are, that is worth it for plain copies as well.
#pragma once

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

// A piece of one point: nothing is computed, each lane is copied along the whole depth.
constexpr int kCopied = 1;

// Points of a piece for a factor whose lanes run along axis `lane` (-1: one lane) and whose depth
// ends in axis `depth`; 0 where it is packed point by point: it computes nothing to speak of, its
// lanes are neighbours in memory, or points of its depth are not.
int pack_points_of(const Expr& element, int lane, bool lanes_vary, int depth,
                   const std::vector<Value>& values, const VectorUnit& unit);

}  // namespace burin
