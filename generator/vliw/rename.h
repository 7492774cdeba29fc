// Other registers for values of a loop body, so that iterations may overlap.
//
// A range is what one unconditional write of a whole operand starts: up to the next such write of
// the same registers, or to the end of the body. Two changes keep the meaning of the body as it is:
//   rename: a range that ends inside the body (or that nothing behind it reads) moves to registers
//     that are free over the loop;
//   split: a range moves to free registers up to some place, where a copy puts the value back; so
//     a value may live for two times II, or an accumulation may pass from one register to the
//     next.
// No modulo variable expansion by unrolling: it would need a remainder loop for every trip count
// that the factor does not divide, and a copy usually fits where a slot is free.
//
// O(body) per change.
#pragma once

#include <optional>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

// Every register range that is written again inside the body gets registers of its own while there
// are free ones; `free` loses what is taken.
std::vector<Instruction> rename_ranges(std::vector<Instruction> body, const Machine& machine,
                                       RegisterSet& free);

// The range of register `reg` that instruction `from` starts moves to free registers; a copy in
// the middle of its uses (behind `from` for a range without any in the body) puts it back. Nothing
// if instruction `from` does not start a range or no register is free.
std::optional<std::vector<Instruction>> split_range(const std::vector<Instruction>& body, int from,
                                                    int reg, const Machine& machine,
                                                    RegisterSet& free);

}  // namespace burin::vliw
