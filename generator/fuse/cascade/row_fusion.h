// Reductions of rows and what is computed from them as one kernel: LayerNorm, RMSNorm, GroupNorm or
// Softmax written as ReduceMean, Sub, Pow, Sqrt, Div ... A value that is used twice inside (x -
// mean) is then an expression or a let instead of a tensor.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace burin {

// `producer` and the reader of its result as one kernel, where the loops over the producer's rows
// (the axes that its lets run over) can enclose both, so that nothing is computed twice, threads
// can share them, and results are still written in the order of memory. nullopt where that is not
// so, and where either is a sum of products, which has better loops of its own.
std::optional<Kernel> fused_rows(const Kernel& producer, const Kernel& reader,
                                 const std::vector<Value>& values, int64_t recomputed_operations);

// A sum of products with constants, and the normalisation of rows that makes its other factor, as
// one kernel: the rows' reductions come first, the factor is a let over the row. nullopt where the
// producer's rows are not rows of the product, or its loops would not run along them.
std::optional<Kernel> fused_factor(const Kernel& producer, const Kernel& product,
                                   const std::vector<Value>& values);

// Rows of results that are to stay in the second cache until they are normalised.
struct RowsRoom {
  int64_t bytes = 0;       // that a block of rows may take; 0: none
  int64_t least_rows = 1;  // of a block, unless there are fewer: the other factor is read once for
                           // each block
};

// A sum of products with constants, and the normalisation of its rows that reads the result, as one
// kernel: the value of a row is a let, which the normalisation's reductions follow. `producer`
// writes the result first; other writes stay. Where the result is one of them, the let is what that
// write stores. The producer may have a normalisation already, whose result is normalised once
// more. nullopt where the reader's rows are not all of the product's columns, or blocks of rows
// have no room.
std::optional<Kernel> fused_row_epilogue(const Kernel& producer, const Kernel& reader,
                                         const std::vector<Value>& values, const RowsRoom& room);

}  // namespace burin
