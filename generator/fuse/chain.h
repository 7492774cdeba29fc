// Sums of products that are too small to be shared by threads, one after the other, as one kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace burin {

// A product with constants of what `producer` makes, and the producer, as one kernel: its result is
// a let, computed once. Nullopt where a size is not a number, where the two together are more than
// `most_operations`, or where the product would compute the let again for each of its rows.
std::optional<Kernel> join_chain(const Kernel& producer, const Kernel& product,
                                 const std::vector<Value>& values, int64_t most_operations);

}  // namespace burin
