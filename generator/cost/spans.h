// Between which numbers indices lie while variables run between theirs: intervals, computed from
// what the index is made of. Index::range() has those of all values that leaves may have; here
// somebody says which they have now.
#pragma once

#include <functional>

#include "kernel/index/index.h"

namespace burin::cost {

// Numbers that a range has.
int64_t points_of(const Range& range);

// O(size of the index). Every value that the index has lies in the result; the result may be wider
// where a variable occurs more than once.
Range span_of(const Index& index, const std::function<Range(const Index& leaf)>& leaf);

}  // namespace burin::cost
