// Products of two rows with vectors of four columns, eight bytes each, by the instructions of Arm
// for 2 x 2 sums (i8mm): an accumulator has sums of both rows and two columns.
//
// Lanes of c<v> are columns 2 v and 2 v + 1 of the first row, then of the second one; a row of
// `settled_rows` puts them into rows again.
#pragma once

#include <vector>

#include "isa/bundles.h"
#include "isa/instruction.h"

namespace burin::isa {

// c<v>[2 i + j] += sum over q < 8 of a[i, q] * b[2 v + j, q].
std::vector<Instruction> mmla_rows();
// c0 and c1 of two rows and four columns become the sums of the first row and of the second one.
std::vector<Instruction> settled_rows();
// Dot products of one row with the same vectors: c[j] += sum over q < 8 of a[q] * b[j, q].
std::vector<Instruction> eight_rows();

// Each of mmla_rows() with what goes with it.
std::vector<BundleRow> mmla_bundles();

}  // namespace burin::isa
