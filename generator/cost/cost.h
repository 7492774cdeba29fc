// Cost: cycles of a program on a machine, in integers, from the program and the description alone.
//
// Arithmetic: every statement as often as loops run it, by the pipes that take it; sums wait for
// the sums of the turn before. Loops whose turns differ (blocks, of which the last one is shorter)
// are looked at in their first turn, one in the middle and the last one.
// Memory: for each cache the bytes that come into it. A loop whose body fits a cache brings what it
// touches once; one that does not brings it again in each turn.
// What takes longer is the cost; a program's loads run ahead of its arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hardware/hardware.h"
#include "loops/program.h"

namespace burin::cost {

struct Cost {
  int64_t arithmetic = 0;      // cycles of one core
  std::vector<int64_t> moved;  // bytes into each cache, nearest first
  int64_t memory = 0;          // cycles that the slowest of these takes
  int64_t cycles() const { return arithmetic > memory ? arithmetic : memory; }
  bool operator==(const Cost&) const = default;
};

// `size`: a dynamic size; where nothing is given, at its hint. O(statements x accesses x 3 for
// each loop around them whose turns differ).
using SizeOf = std::function<int64_t(const Dim& size)>;
Cost cost_of(const loops::Program& program, const Hardware& hardware,
             const SizeOf& size = at_hints);

// Turns of each loop that are run in all, in order of for_each: what arithmetic is counted with,
// for checkers.
std::vector<int64_t> turns_of_loops(const loops::Program& program, const Hardware& hardware,
                                    const SizeOf& size = at_hints);

}  // namespace burin::cost
