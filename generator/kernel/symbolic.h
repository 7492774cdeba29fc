// Symbolic evaluation of kernels: the elements of small tensors as expressions over symbols (the V
// lattice of SoD2's rank-and-dimension propagation). What Shape, Gather, Concat, arithmetic, Cast
// and Resize's scale computations do to sizes is read off their kernels; no operator is named.
//
// Integers and booleans are Dims. A float is followed where it is a constant, or a Dim divided by a
// number with no rounding, so that floor(float(N) * 0.5) is N // 2. Whether a float rounds, and
// whether an integer fits a narrower type, is judged with symbols that have no upper bound taken to
// stay below 2^20.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// One element: a float constant where `number` is set, else numerator / denominator.
struct SymbolicElement {
  Dim numerator;
  int64_t denominator = 1;  // positive; 1 for integers and booleans
  // A float whose quotient was rounded once: only floor, ceil, truncation and rounding to an
  // integer of it are exact.
  bool rounded = false;
  std::optional<double> number{};

  bool operator==(const SymbolicElement&) const = default;
};

// Row-major; nullopt where an element is not known.
using SymbolicElements = std::vector<std::optional<SymbolicElement>>;

struct SymbolicOptions {
  int64_t elements = 4096;      // of any one tensor
  int64_t operations = 200000;  // evaluations of single operations, of all steps together
};

// What the kernels of `steps`, in order, write into values of constant shape, given elements of
// some values that they read; small constants are known by themselves. The result has the values of
// which an element is known. After a step that is not a kernel, what it writes is unknown.
std::map<ValueId, SymbolicElements> evaluate_symbolically(
    const Steps& steps, const std::vector<Value>& values,
    const std::map<ValueId, SymbolicElements>& known, const SymbolicOptions& options = {});

// The elements of an integer or boolean tensor; nullopt when one is not known.
std::optional<std::vector<Dim>> all_known(const SymbolicElements& elements);
SymbolicElements to_elements(const std::vector<Dim>& elements);

}  // namespace burin
