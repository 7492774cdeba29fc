// The quotients and remainders inside an index.
#pragma once

#include <vector>

#include "kernel/index/index.h"

namespace burin {

// Appends every floordiv and mod atom, those inside operands before the ones around them; one may
// come several times. Indices that are loaded from data are not entered.
void collect_divisions(const Index& index, std::vector<Index>& divisions);

}  // namespace burin
