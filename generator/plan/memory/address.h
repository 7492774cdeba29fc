// What the addresses of a kernel prove: that a write covers a value, that a kernel only moves
// elements, that its result may lie where an operand lies. All proofs are symbolic; false means
// "not known".
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Row-major element number of a point.
Index linear_address(const std::vector<Index>& at, const std::vector<Dim>& shape);

// Different points of the axes `over` give different addresses: every axis has one stride, and
// sorted by stride each one steps over all that the smaller ones reach.
bool proven_injective(const Index& address, const std::vector<int>& over,
                      const std::vector<Axis>& axes);

// The kernel replaces every element of the value, whatever was there: unguarded stores whose points
// are as many as the value has elements. Stores that meet are taken for a fault elsewhere.
bool defines_all(const Kernel& kernel, ValueId value, const std::vector<Value>& values);

// The bytes of `value` between which the kernel writes: all are in [first, last). nullopt where
// data decide, or no bound is found.
std::optional<std::pair<Dim, Dim>> written_range(const Kernel& kernel, ValueId value,
                                                 const std::vector<Value>& values);

// An element of `from` goes to `to`, unchanged.
struct Move {
  ValueId from = kNoValue;
  ValueId to = kNoValue;
  Dim delta;  // bytes; to's address in `to` plus delta is from's address in `from`
  bool operator==(const Move&) const = default;
};
// The moves of a kernel that does nothing else (reshape, contiguous slice, split and concatenation
// along the outermost axis), without repetitions; nullopt for every other kernel, and where a
// distance is not the same at every point, not a whole number of bytes or known only during the
// run.
std::optional<std::vector<Move>> moves_of(const Kernel& kernel, const std::vector<Value>& values);

// The delta (as in Move) at which `to` may lie over the operand `from`: every point reads `from` at
// one place only, and that is what it then writes, so no order of points can tell. nullopt
// otherwise. What let number `row_let` (-1: there is none) reads counts where the let is made: for
// whole rows, which are read back from memory before anything else of them is written.
std::optional<Dim> in_place_delta(const Kernel& kernel, ValueId to, ValueId from,
                                  const std::vector<Value>& values, int row_let = -1);

}  // namespace burin
