// SampleSizes at which a tree's sample vectors are tried.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

using SampleSizes = std::map<std::string, int64_t>;  // of the symbols of the caller

// Small sizes that differ from each other, equal ones, the smallest in range; near to these, sizes
// that all checks of every run admit; then the first that satisfy what the run checks of one of
// them, branches included; at last those that the tree is made for.
std::vector<SampleSizes> sizes_to_try(const KernelGraph& graph);

}  // namespace burin
