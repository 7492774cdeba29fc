// Dot products of bytes on Arm with dotprod: each of 4 sums takes four products of bytes of one
// sign. Groups of four rows are loaded as a vector, whose lanes instructions take one by one: a
// load that copies a group to all lanes would take a unit of products from most cores.
#pragma once

#include <vector>

#include "isa/bundles.h"
#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> arm_dot();
// Of four rows: c<i>[j] += sum over q < 4 of a[i, q] * b[j, q].
std::vector<Instruction> dot_bundle_rows();
std::vector<BundleRow> dot_bundles();

}  // namespace burin::isa
