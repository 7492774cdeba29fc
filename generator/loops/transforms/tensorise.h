// tensorise: loops that compute what an instruction computes become a call of it (Exo's replace).
//
// The loops from `var` inwards are a perfect nest around one statement. They are matched with the
// instruction's meaning: a map let that is summed over its reduced axes and added to an operand.
// Each axis of the meaning is a loop of the nest from 0 to its extent; the statement's value is the
// let's body with operands in the place of buffers, whose trailing dimensions are indexed as the
// operand's are and whose leading ones do not move with the nest.
//
// Sums of an instruction are sums in another order: of floats only those of one term are legal.
#pragma once

#include "isa/instruction.h"
#include "loops/transforms/change.h"

namespace burin::loops {

Change tensorise(const Program& program, int var, const isa::Instruction& row);

}  // namespace burin::loops
