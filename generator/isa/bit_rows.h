// Rows of products of signs, 32 in a word: c[j] += ones in present & (negative ^ other), and the
// ones of words alone. `present` and `negative` say of one factor what is not 0 and what is below
// 0, `other` what is below 0 of a factor that is never 0: what is counted are negative products
// (runtime_min/bit_sums.h has their spellings).
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> bit_rows();

// The rows of one instruction of a description, all of as many lanes.
struct BitRows {
  const Instruction* lanes = nullptr;  // present and negative have lanes, other is one word
  const Instruction* group = nullptr;  // other has lanes
  const Instruction* ones = nullptr;   // c[j] += ones in words[j]
  int lanes_count = 0;
};

// Those of an instruction's name in descriptions; `lanes` is null where it has none.
BitRows bit_rows_of(std::string_view instruction);

}  // namespace burin::isa
