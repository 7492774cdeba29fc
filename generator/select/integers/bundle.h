// The instructions with which a plan multiplies several rows of a tile at a time (isa/bundles.h).
#pragma once

#include "isa/instruction.h"

namespace burin {

// Null: there is none.
struct Bundle {
  const isa::Instruction* row = nullptr;
  int rows = 1;
  const isa::Instruction* whole = nullptr;  // as `row`, of vectors that are aligned as a whole
  // Sums begin with products of it and a group that says what was taken off the numbers of a.
  const isa::Instruction* starts = nullptr;
  const isa::Instruction* settles = nullptr;  // accumulators become rows behind the last product
  int vector_registers = 1;                   // that a vector of b takes
  bool loads = true;                          // groups of a are loaded as vectors are

  explicit operator bool() const { return row != nullptr; }
};

}  // namespace burin
