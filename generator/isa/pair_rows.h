// Dot products of two groups at a time on HVX: `vrmpy` with a pair of scalar registers, of which
// each has a group for one of two accumulators. Two of them start in a packet, twice the products
// of those with one group. clang 19 has a builtin for them where it is told hvxv65; else the same
// by two instructions (runtime_min/dot_pairs.h), which emulators run that do not know them.
#pragma once

#include <string>
#include <vector>

#include "isa/bundles.h"
#include "isa/instruction.h"

namespace burin::isa {

inline constexpr int kPairedRows = 2;

std::vector<Instruction> pair_rows();
std::vector<BundleRow> pairs();

}  // namespace burin::isa
