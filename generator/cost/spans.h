// Between which numbers indices lie while variables run between theirs: intervals, computed from
// what the index is made of.
#pragma once

#include <functional>
#include <vector>

#include "kernel/index.h"

namespace burin::cost {

// Both ends included.
struct Span {
  int64_t lo = 0, hi = 0;
  int64_t points() const { return hi < lo ? 0 : hi - lo + 1; }
  bool operator==(const Span&) const = default;
};

// O(size of the index). Every value that the index has lies in the result; the result may be wider
// where a variable occurs more than once.
Span span_of(const Index& index, const std::function<Span(const Index& leaf)>& leaf);

}  // namespace burin::cost
