// Sums of products that a recurrence reads step by step become lets of it: what is made for all
// steps at once takes memory for all of them, and what is made at its step none.
#pragma once

#include <optional>

#include "fuse/access/block_steps.h"

namespace burin {

// The reader, which has a sequential axis, with a let for each of the points at which it loads the
// producer's result. nullopt where the producer is no sum of products over axes of the result,
// where the reader's points depend on data or lie inside sums, or where a sum would be made more
// often than by the producer. O(size of both).
std::optional<Kernel> fused_step_sums(const Kernel& producer, const Kernel& reader);

// At a recurrence: it and the sums that only it reads.
void fuse_step_sums(BlockSteps& block, int at);

}  // namespace burin
