// Which rows of isa/ a description has.
#pragma once

#include "hardware/hardware.h"
#include "isa/instruction.h"

namespace burin {

inline bool is_byte(Type type) { return type == Type::u8 || type == Type::i8; }

bool has_row(const Hardware& hardware, const std::string& instruction);
bool has_row(const Hardware& hardware, const isa::Instruction& row);
// What the description says of the row; null: nothing.
const RowTiming* timing_of(const isa::Instruction& row, const Hardware& hardware);

// Whether it has tables of 256 bytes (isa/byte_rows.h).
bool has_tables(const Hardware& hardware);

// Whether it gives rows another pitch (isa/pad_rows.h) and fills bytes.
bool has_padded_rows(const Hardware& hardware);

// Those of isa/move_rows.h that the description has.
isa::Rows rows_that_move(const Hardware& hardware);

// That sums bytes beside each other; null: there is none, or they are no bytes.
const isa::Instruction* row_that_sums(Type type, const Hardware& hardware);

}  // namespace burin
