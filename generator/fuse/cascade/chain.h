// A product of one row with constants and what makes the row, as one kernel, where threads would
// not share the two anyway: both are small, or the product waits for its constants to come from
// memory, which is as fast for one thread, and what makes the row is small (a pool before a
// classifier).
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/kernel.h"

namespace burin {

// A product with constants of what `producer` makes, and the producer, as one kernel: its result is
// a let, computed once. Nullopt where a size is not a number, where threads would share the work,
// or where the product would compute the let again for each of its rows. Small are
// `most_operations`.
std::optional<Kernel> fused_chain(const Kernel& producer, const Kernel& product,
                                  const std::vector<Value>& values, int64_t most_operations,
                                  int64_t multiply_adds_per_byte);

}  // namespace burin
