// Columns that take a part of a softmax's sum and give nothing (attention sinks): the softmax runs
// over scores and a few more elements, behind each other, and its reader keeps to the scores.
#pragma once

#include <optional>

#include "fuse/access/block_steps.h"

namespace burin {

// The softmax over the scores alone, and its reader: each of its reductions is one over the scores,
// and a let that combines that with the other elements.
struct WithoutSinks {
  Kernel softmax, reader;
  int concat = -1;  // the place of the concatenation, which is part of the softmax now
};

// nullopt where the reader does not keep to a range of one dimension, over all of which the
// softmax runs but for at most a few elements, or where no concatenation had these.
std::optional<WithoutSinks> without_sinks(BlockSteps& block, int softmax_at, const Kernel& reader);

}  // namespace burin
