// No emitted computation of an address or of a number of bytes leaves 64 bits, whatever a caller
// passes: sizes with declared ranges that would make one are refused, sizes without get a limit.
#pragma once

#include <map>
#include <string>

#include "plan/memory/computed_sizes.h"

namespace burin {

// What sizes that nothing bounds may be at most; powers of two.
struct SizeLimits {
  int64_t most = kUnbounded;
  // Of sizes of the caller that leave the others more: one that comes in a high power.
  std::map<std::string, int64_t> own = {};
  int64_t of(const SymbolInfo& symbol) const;
  // The size to optimise for, no larger than it can be here.
  int64_t usual(const Symbol& symbol) const;
  bool operator==(const SizeLimits&) const = default;
};

// With every unbounded symbol at most its limit, and every other at its upper bound, every part of
// every computed size stays below 2^60, and so does all memory together; where pointers have 32
// bits, every tensor and the arena stay below 2^31. Where one limit for all
// leaves few sizes, the size of the caller that leaves the others most gets one of its own.
// Refused ("limit") where the declared ranges leave no such room; the hint is the ranges that would
// fit. `named`: what memory sizes refer to. `params`: the sizes of the caller. O(sizes * log limit
// * params).
SizeLimits size_limits(const std::vector<ComputedSize>& sizes, const std::vector<NamedSize>& named,
                       const std::vector<Symbol>& params, int pointer_bits);

// The limit is narrow: somebody will ask for more.
inline constexpr int64_t kFewSizes = 1024;

}  // namespace burin
