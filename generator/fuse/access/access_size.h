// How large kernels become when one moves into another. Expressions share their parts in memory,
// but every walk and the emitted text see them as trees: x*sigmoid(x) applied to itself ten times
// has a thousand leaves. A limit on fused sizes keeps compilation linear in the model and kernels
// readable.
#pragma once

#include <cstdint>

#include "kernel/kernel.h"

namespace burin {

// Nodes of `expr` as a tree, those of indices that load included.
int64_t tree_size(const Expr& expr);

// The nodes of `reader` once `inlined` stands at each of its loads of `result`. Saturates.
int64_t size_with(const Kernel& reader, ValueId result, const Expr& inlined);

// Nodes of the longest index at which `kernel` reads or writes.
int64_t longest_index(const Kernel& kernel);

// Whether a tensor of this shape can have memory: no dynamic size is without a bound.
bool has_bounds(const std::vector<Dim>& shape);

// Whether every extent is a number: a shape that is empty may have dynamic ones.
bool is_fixed(const std::vector<Dim>& shape);

}  // namespace burin
