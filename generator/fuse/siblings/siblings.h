// Contractions that share an input, each with constants of its own (the projections to Q, K and V),
// as one: their constants lie side by side, and so do their results, in one tensor of which every
// reader takes its part. The input is then packed and read once. What follows their sums may differ
// as in fuse/siblings/sibling_steps.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct Siblings {
  Kernel kernel;  // writes `whole`, a value that was added
  ValueId whole = kNoValue;
  size_t dimension = 0;    // of the results that is fused
  std::vector<Dim> first;  // of each member in it
};

// Whether the kernels are equal but for their constants, which can lie side by side.
bool are_siblings(const std::vector<const Kernel*>& members, std::vector<Value>& values);

// The kernels as one; nullopt where they are no siblings. Adds values (the result and the
// constants) only where they are.
std::optional<Siblings> fused_siblings(const std::vector<const Kernel*>& members,
                                       std::vector<Value>& values);

// Whether a kernel may be a member: one sum of products, of one factor that is loaded from a
// constant along an axis that the other one has not, which is a dimension of the result, written
// once.
bool may_have_siblings(const Kernel& kernel, const std::vector<Value>& values);

}  // namespace burin
