// Groups of neighbouring taps: where a window's taps along the columns are the groups, lane j reads
// the group that begins `stride * j` further, and the sliding form of an instruction makes all of
// them from one vector of the staged row (isa/dot_rows.h). The plane is staged as it is.
#pragma once

#include <optional>

#include "select/integers/integer_sum.h"
#include "select/integers/row_choice.h"

namespace burin {

struct Slide {
  int tap = -1;  // the reduced axis that becomes groups
  int64_t stride = 1;
  const isa::Instruction* dot = nullptr;
  const isa::Instruction* fours = nullptr;  // of four vectors at a time, where the machine has it
};

// nullopt: no taps lie so, or groups along another axis take less of the instruction.
std::optional<Slide> find_slide(const IntegerSum& found, const RowChoice& choice,
                                const Hardware& hardware);

}  // namespace burin
