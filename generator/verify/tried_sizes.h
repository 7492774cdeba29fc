// SampleSizes at which a tree's sample vectors are tried.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

using SampleSizes = std::map<std::string, int64_t>;  // of the symbols of the caller

// Small sizes that differ from each other, equal ones, the smallest in range; then the first sizes
// that satisfy what the run checks of one of them: one suits what the model assumes.
std::vector<SampleSizes> sizes_to_try(const KernelGraph& graph);

}  // namespace burin
