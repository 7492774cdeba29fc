// Symbolic evaluation of kernels: the elements of small tensors as expressions over symbols (the V
// lattice of SoD2's rank-and-dimension propagation). What Shape, Gather, Concat, arithmetic, Cast
// and Resize's scale computations do to sizes is read off their kernels; no operator is named.
//
// Integers and booleans are Dims. A float is followed where it is a constant, or a Dim divided by a
// number with no rounding, so that floor(float(N) * 0.5) is N // 2. Whether a float rounds, and
// whether an integer fits a narrower type, is judged with symbols that have no upper bound taken to
// stay below 2^20. What is none of these may still have bounds over sizes: floor(float(N) * 1.3).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// What a number lies between that is not known: lo / denominator and hi / denominator, times 1 + e
// with |e| <= relative (symbolic_bounds.cpp).
struct ElementBounds {
  Dim lo, hi, denominator = 1;  // denominator > 0
  double relative = 0;
};

// Stands for no end.
constexpr int64_t kFar = int64_t{1} << 60;

// One element: a float constant where `number` is set, else numerator / denominator; or not known
// but for its bounds, where these are set.
struct SymbolicElement {
  Dim numerator;
  int64_t denominator = 1;  // positive; 1 for integers and booleans
  // A float whose quotient was rounded once: only floor, ceil, truncation and rounding to an
  // integer of it are exact.
  bool rounded = false;
  std::optional<double> number{};
  std::shared_ptr<const ElementBounds> bounds{};

  bool is_known() const { return !bounds; }
  bool is_integer() const { return !bounds && !number && denominator == 1 && !rounded; }
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

// A scalar expression without axes and lets, which may load elements.
std::optional<SymbolicElement> evaluate_symbolically(
    const Expr& expr, const std::vector<Value>& values,
    const std::map<ValueId, SymbolicElements>& known);

// Whether the run may compute `dim` where an element is wanted: it stays as small as sizes do. An
// expression wants room in 64 bits, which limits the sizes that are taken
// (plan/memory/size_limit.h), while arithmetic of elements wraps; so no more than products of two
// that nobody has bounded.
bool is_small(const Dim& dim);

// What an integer that is not known is never above; nullopt where nothing says so.
std::optional<Dim> most_of(const SymbolicElement& element);

// The elements of an integer or boolean tensor; nullopt when one is not known.
std::optional<std::vector<Dim>> all_known(const SymbolicElements& elements);
SymbolicElements to_elements(const std::vector<Dim>& elements);
// One that is known to lie between bounds.
SymbolicElement element_between(ElementBounds bounds);

}  // namespace burin
