// Tensors in several layouts: some of their readers read a copy. A copy is a kernel of its own,
// right after the tensor is made.
#pragma once

#include <vector>

#include "layout/relayout.h"

namespace burin {

struct LayoutCopy {
  ValueId of = kNoValue;
  Layout layout;             // of the copy
  std::vector<int> readers;  // by number among the steps that read `of`, in order
  bool operator==(const LayoutCopy&) const = default;
};
using LayoutCopies = std::vector<LayoutCopy>;

// A kernel that copies `from` to `to`, which has the same shape.
Kernel copy_kernel(ValueId from, ValueId to, const std::vector<Value>& values);

// The graph with the copies; `layouts` gets theirs, to be applied afterwards.
KernelGraph with_copies(KernelGraph graph, const LayoutCopies& copies, Layouts& layouts);

// The steps of the top level that read a value, as positions in `graph.steps`.
std::vector<int> readers_of(const KernelGraph& graph, ValueId id);

}  // namespace burin
