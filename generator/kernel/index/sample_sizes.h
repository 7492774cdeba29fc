// Sizes at which checkers look at what is an expression over sizes.
#pragma once

#include <algorithm>

#include "kernel/index/index.h"

namespace burin {

enum class Sample { least, hints, most };
inline constexpr Sample kSamples[] = {Sample::least, Sample::hints, Sample::most};

// With every symbol at the least of its range, at its hint, or at the most; at many times the hint
// where that has no end, and at a million where it is more.
inline int64_t at_sample(const Dim& dim, Sample sample) {
  constexpr int64_t kMany = 16;
  if (sample == Sample::hints) return at_hints(dim);
  return dim.evaluate([&](const Index& leaf) -> int64_t {
    if (sample == Sample::least) return leaf.range().lo;
    const int64_t most =
        leaf.range().bounded() ? leaf.range().hi : kMany * std::max<int64_t>(1, at_hints(leaf));
    return std::min<int64_t>(most, 1'000'000);
  });
}

}  // namespace burin
