// Stackings: buffers are put down one after the other, each on top of everything below it that is
// live at the same time. An order of putting down is a packing at every size, so one order can be
// judged at several points of the space of sizes at once, and searched for the one whose height
// is nearest to the lower bounds at all of them.
//
//   order A B C, sizes at one point 1 2 1     at another 3 1 1      (A and C are never live
//        +---+                                    +---+              together)
//   B    |   |---+                           B    +---+---+
//        +---+ C |                           A    |   | C |
//   A    +---+---+                                +---+---+
#pragma once

#include <cstdint>
#include <vector>

namespace burin {

struct StackProblem {
  std::vector<std::vector<int64_t>> sizes;  // by point, by buffer
  std::vector<std::vector<int>> conflicts;  // by buffer: those that are live at the same time
  std::vector<int64_t> bounds;              // by point: no packing is lower
};

struct Stacking {
  std::vector<int> order;        // of buffers, the lowest first
  std::vector<int64_t> heights;  // by point
};

// By point, in O(points * conflicts).
std::vector<int64_t> heights_of(const StackProblem& problem, const std::vector<int>& order);

// The best of the given orders, improved by moving buffers of the highest column about until its
// heights are the bounds or `budget` visits of conflicts are spent.
Stacking search_stacking(const StackProblem& problem, const std::vector<std::vector<int>>& starts,
                         int64_t budget);

}  // namespace burin
