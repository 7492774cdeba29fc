// What one instruction reads, writes and does to memory.
#pragma once

#include "vliw/assembly.h"

namespace burin::vliw {

struct Effects {
  RegisterSet reads;      // values from before the packet
  RegisterSet new_reads;  // values that its own packet produces (.new)
  RegisterSet writes;
  bool conditional = false;  // predicated: the writes may not happen
  bool sense = true;         // of the predicate
  bool predicate_new = false;
  int predicate = -1;    // its register
  bool gathers = false;  // adds to the sticky bits; a write of usr puts others in their place
  bool load = false, store = false;
  bool barrier = false;  // nothing may be moved across it
};

Effects effects_of(const Instruction& instruction);

// Packets between the start of the producer and the start of the consumer of register r without a
// stall: at least 1. Both must have forms.
int latency_of(const Machine& machine, const Instruction& producer, const Instruction& consumer,
               int r);

// Does the instruction leave its block: jump, call, return?
bool changes_flow(const Instruction& instruction);

}  // namespace burin::vliw
