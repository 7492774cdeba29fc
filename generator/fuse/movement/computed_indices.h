// Indices that are computed from nothing that is read: once movement has put what makes an index
// tensor in place of its loads (a Range, wrapped and clipped), they are indices like any other. So
// are those that a constant holds which counts evenly.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// An integer expression over axes, sizes and known numbers as an Index; nullopt where it loads
// anything else, or where an operation is none of indices. Arithmetic is that of sizes: it does not
// wrap.
std::optional<Index> as_index(const Expr& expr, const std::vector<Value>& values);

// The kernel with every index that stands for such an expression replaced; nullopt: it has none.
std::optional<Kernel> with_computed_indices(const Kernel& kernel, const std::vector<Value>& values);

}  // namespace burin
