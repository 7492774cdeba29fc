#include "select/bytes/known_rows.h"

#include <algorithm>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/fold_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_rows.h"
#include "isa/sum_rows.h"

namespace burin {

bool has_row(const Hardware& hardware, const std::string& instruction) {
  return std::any_of(hardware.rows.begin(), hardware.rows.end(),
                     [&](const RowTiming& one) { return one.instruction == instruction; });
}

const RowTiming* timing_of(const isa::Instruction& row, const Hardware& hardware) {
  const auto found =
      std::find_if(hardware.rows.begin(), hardware.rows.end(),
                   [&](const RowTiming& one) { return isa::is_named(row, one.instruction); });
  return found == hardware.rows.end() ? nullptr : &*found;
}

bool has_row(const Hardware& hardware, const isa::Instruction& row) {
  return timing_of(row, hardware) != nullptr;
}

bool has_tables(const Hardware& hardware) {
  return has_row(hardware, *isa::find_row(isa::look_up_name(Type::u8, Type::u8)));
}

bool has_padded_rows(const Hardware& hardware) {
  return has_row(hardware, isa::kPadInstruction) && has_row(hardware, isa::kFoldInstruction);
}

isa::Rows rows_that_move(const Hardware& hardware) {
  isa::Rows out;
  for (const isa::Instruction& one : isa::move_rows()) {
    if (has_row(hardware, one)) out.push_back(isa::find_row(one.name));
  }
  return out;
}

const isa::Instruction* row_that_sums(Type type, const Hardware& hardware) {
  if (!is_byte(type) || !has_row(hardware, isa::kSumInstruction)) return nullptr;
  return isa::find_row(isa::sum_name(type));
}

}  // namespace burin
