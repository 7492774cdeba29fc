// Elements of made-up inputs that a run takes for sizes.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"
#include "verify/tried_sizes.h"

namespace burin {

struct InputElement {
  size_t input = 0;    // among the graph's inputs
  int64_t number = 0;  // row-major
};

// The only element that the value is made of, where it is one of an input and its place is a
// number.
std::optional<InputElement> only_element(const Expr& value, const KernelGraph& graph,
                                         const std::vector<HostTensor>& inputs);

// What a size of a run may be at these sizes of the caller.
Range range_of(const SymbolInfo& symbol, const SampleSizes& sizes);

// Every element of an input of which a run makes a size goes into the range of that size at these
// sizes of the caller, as near as it is: a run at what --dim allows is no run that is refused.
// `graph` as it was lowered, with `inputs` in its order.
void into_ranges(const KernelGraph& graph, const SampleSizes& sizes,
                 std::vector<HostTensor>& inputs);

}  // namespace burin
