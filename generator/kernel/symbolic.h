// Symbolic evaluation of kernels: the elements of small tensors as expressions over symbols (the V
// lattice of SoD2's rank-and-dimension propagation). What Shape, Gather, Concat, arithmetic, Cast
// and Resize's scale computations do to sizes is read off their kernels; no operator is named.
//
// Integers are Dims. A float is followed where it is a Dim divided by a number, exactly, so that
// floor(float(N) * 0.5) is N // 2. A symbol without an upper bound is taken to stay below 2^20
// there and where integers are narrowed: sizes beyond that would round in a float anyway.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Row-major; nullopt where an element is not known.
using SymbolicElements = std::vector<std::optional<Dim>>;

struct SymbolicOptions {
  int64_t elements = 4096;      // of any one tensor
  int64_t operations = 200000;  // evaluations of single operations, of all steps together
};

// What the kernels of `steps`, in order, write into integer and boolean values of constant shape,
// given elements of some values they read (small constants are known by themselves). Values of
// which nothing is known are left out, and so is everything written after a step that is not a
// kernel could have changed it.
std::map<ValueId, SymbolicElements> evaluate_symbolically(
    const Steps& steps, const std::vector<Value>& values,
    const std::map<ValueId, SymbolicElements>& known, const SymbolicOptions& options = {});

// All of them; nullopt when one is not known.
std::optional<std::vector<Dim>> all_known(const SymbolicElements& elements);
SymbolicElements to_elements(const std::vector<Dim>& elements);

}  // namespace burin
