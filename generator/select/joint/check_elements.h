// For checkers alone: which elements kernels write, by counting at the hinted sizes.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Whether two kernels that both write a value write elements that differ; false for other steps.
bool write_other_elements(const Step& a, const Step& b, ValueId value);

}  // namespace burin
