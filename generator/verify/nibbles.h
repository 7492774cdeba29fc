// Elements of less than a byte as a tree has them, which is a byte each (fuse/constants/unpack.h),
// and as the model does.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// The tensor in the type of `value`, where one of both has less than 8 bits, the other 8, and they
// are of one kind; else as it is.
HostTensor in_width_of(const Value& value, HostTensor tensor);

// The same for tensors of the inputs, or outputs, `ids` of a graph.
std::vector<HostTensor> in_widths_of(const KernelGraph& graph, const std::vector<ValueId>& ids,
                                     std::vector<HostTensor> tensors);

}  // namespace burin
