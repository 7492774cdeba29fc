// How rows of dot products are made: c[j] += sum over q of a[q] * b[j, q].
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

struct DotRow {
  std::string name;
  std::string instruction;  // its name in descriptions
  int lanes = 4;            // sums, of 32 bits
  int group = 4;            // products in each
  Type a = Type::u8, b = Type::i8;
  std::string file;      // of registers
  std::string spelling;  // a function of dot.h over lanes
};

// `a` is one group of elements that all lanes get, `b` lies [lane][group].
Instruction dot_row(const DotRow& row);
std::vector<Instruction> dot_rows(const std::vector<DotRow>& rows);

}  // namespace burin::isa
