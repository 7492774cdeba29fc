// What a kernel's function calls the values that it reads and writes: by what it does with them,
// never by what the model calls them, so that no name of the model moves a line of a kernel.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin::print {

// "input", "weights" (constants that a sum multiplies by), "bias", "scale", "zero_point" (bytes
// that quantised numbers are shifted by), "constants" (others), "indices" (what places are read
// from), what attention calls them (attention_roles.h), "output"; with numbers where there are
// several. `reads` and `writes`: of the kernel, in the order of its parameters.
std::map<ValueId, std::string> operand_names(const Kernel& kernel, const std::vector<Value>& values,
                                             const std::vector<ValueId>& reads,
                                             const std::vector<ValueId>& writes);

}  // namespace burin::print
