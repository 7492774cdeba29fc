// Layouts of internal tensors, applied: a tensor that lies in memory in another way becomes a
// tensor of the shape that it has there, and every access follows. What comes after sees ordinary
// row-major tensors, so that every schedule and every printer knows every layout.
#pragma once

#include <map>

#include "kernel/kernel.h"

namespace burin {

using Layouts = std::map<ValueId, Layout>;  // of values that are not row-major

// Where an element lies: one index per physical dimension (physical_shape).
std::vector<Index> physical_point(const Layout& layout, const std::vector<Index>& at);

// A kernel whose accesses are those of the layouts.
Kernel relayout(const Kernel& kernel, const Layouts& layouts);

// The graph with internal values as `layouts` has them. Blocks must divide what they cut, and only
// kernels may use the values.
KernelGraph relayout(KernelGraph graph, const Layouts& layouts);

// Internal values of the top level that only its kernels use, and none that goes by rows as they
// lie in memory (select/rows/row_epilogue.h, back_to_back.h, select/threads/fused_copies.h): those
// whose layout is free.
std::vector<ValueId> free_values(const KernelGraph& graph);

}  // namespace burin
