// Elements of tensors that are known before the run, in whoever reads them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernel/symbolic/symbolic.h"
#include "kernel/tensor.h"

namespace burin {

// In kernels and bindings of `steps`: a load at a place that is a number, of an element that is
// `known` to be a number or an expression over sizes of the caller, becomes that. So nothing reads
// a shape that a kernel would have to store, and what depends on a number only folds.
// O(expression).
void read_known(Steps& steps, const std::vector<Value>& values,
                const std::map<ValueId, SymbolicElements>& known);

// A tensor of these elements, where all of them are numbers.
std::optional<HostTensor> tensor_of(const Value& value, const SymbolicElements& elements);

}  // namespace burin
