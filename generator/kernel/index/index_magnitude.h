// How large an index can become, with all that is computed on the way to it.
#pragma once

#include <functional>

#include "kernel/index/index.h"

namespace burin {

// No smaller than the magnitude of the index and of every part of a sum, product or quotient in it,
// so that no order of evaluation gets beyond it; the largest int64 where nothing says more.
// `most`: the largest magnitude of a symbol or of data. O(size of the index as text).
int64_t largest_part(const Index& index, const std::function<int64_t(const Index& leaf)>& most);

// The larger magnitude of a range's ends.
int64_t magnitude(Range range);

}  // namespace burin
