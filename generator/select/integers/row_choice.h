// Which instruction of a description an integer product uses.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "isa/instruction.h"
#include "select/integers/constants.h"
#include "select/integers/integer_sum.h"

namespace burin {

struct RowChoice {
  const isa::Instruction* row = nullptr;
  const RowTiming* timing = nullptr;
  int lanes = 1, group = 1;
  int32_t offset_a = 0, offset_b = 0;  // taken off constants
};

// Of `rows`, the one that does most products in a cycle, of those that the description names and
// whose operands both factors fit and whose sums are of type `sum`; numbers of those that are
// constants.
std::optional<RowChoice> choose_row(const Hardware& hardware, const isa::Rows& rows, Type sum,
                                    const std::optional<FactorNumbers>& numbers_a,
                                    const std::optional<FactorNumbers>& numbers_b);

// Whether the description has products of bf16, with sums of floats, that are faster than those of
// floats: by a row, or by a unit for matrices beside it.
bool has_bf16_products(const Hardware& hardware, const isa::Rows& rows);
// Whether a row makes more products in a cycle than multiply-adds of floats do.
bool is_faster_than_floats(const RowChoice& choice, const Hardware& hardware);

// Cycles of one core for all products.
int64_t cycles_of_products(const IntegerSum& found, const RowChoice& choice);

}  // namespace burin
