// No emitted computation of an address or of a number of bytes leaves 64 bits, whatever a caller
// passes: sizes with declared ranges that would make one are refused, sizes without get a limit.
#pragma once

#include "plan/memory/computed_sizes.h"

namespace burin {

// A power of two: with every unbounded symbol at most this, and every other at its upper bound,
// every part of every computed size stays below 2^60, and so does all memory together. Refused
// ("limit") where the declared ranges leave no such room; the hint is the ranges that would fit.
// `named`: what memory sizes refer to. `params`: the sizes of the caller. O(sizes * log limit).
int64_t size_limit(const std::vector<ComputedSize>& sizes, const std::vector<NamedSize>& named,
                   const std::vector<Symbol>& params);

}  // namespace burin
