// What tiles of floats are made of: a vector of sums gets a broadcast element times a vector.
// Every machine has these; whether the product is rounded before it is added is the machine's.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every number of lanes that FloatVector has, by kind:
//   zero, lowest, highest   c[j] = 0, -infinity, infinity
//   add_product             c[j] += a[0] * b[j]
//   add_products            c[j] += a[j] * b[j]
//   sum_lanes, greatest_lane  to[0] = the sum or the greatest of c's lanes
//   add, greatest, least    c[j] is combined with b[j] in memory; extremes are NaN where either is
//   add_sums                c[j] += b[j], of registers
//   store                   to[j] = c[j]
// Factors of products may be fp16 in memory, which is widened: add_product_a16,
// add_products_a16_b16.
std::vector<Instruction> float_rows();

// The row of a kind and number of lanes.
const Instruction* float_row(const std::string& kind, int lanes);
// The kind that adds a product of an element and lanes, or of lanes and lanes.
std::string product_kind(bool by_lane, Type a, Type b);
// to[j] = the half from[j], as many as a call says.
const Instruction* widen_row();

}  // namespace burin::isa
