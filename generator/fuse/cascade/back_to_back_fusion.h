// Two sums of products back to back: the layers of a transformer's feed-forward part, of which the
// second one's factor is what the first one makes. As one kernel, the intermediate rows never
// leave the cache (back-to-back GEMM fusion).
#pragma once

#include <cstdint>
#include <optional>

#include "fuse/access/options.h"
#include "kernel/kernel.h"

namespace burin {

// Rows of a block: at the hinted sizes, of `between` columns and `depth` points of the first
// product, with so many bytes of constants in both. 0: they do not pay.
int64_t rows_back_to_back(int64_t rows, int64_t between, int64_t depth, int64_t constant_bytes,
                          const BackToBackRoom& room);

// A sum of products with constants and the one that makes the rows of its other factor as one
// kernel: the first product's lets, the intermediate rows as a let, the reader's lets. What
// normalises the first one's factor, or the second one's results, stays. nullopt where rows of the
// one are not rows of the other, or `room` says that it does not pay.
std::optional<Kernel> fused_back_to_back(const Kernel& producer, const Kernel& reader,
                                         const std::vector<Value>& values,
                                         const BackToBackRoom& room);

}  // namespace burin
