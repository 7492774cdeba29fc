// Hardware loops of one block that are entered from above only: what the pipeliner needs to know
// about one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vliw/liveness.h"

namespace burin::vliw {

// Facts about a program that all its loops share.
struct ProgramFacts {
  std::vector<RegisterSet> live;          // see live_at()
  std::map<std::string, int> references;  // words of directives and operands
};

ProgramFacts facts_of(const Program& program, AtReturn at_return);

struct Loop {
  size_t segment = 0;            // of its block
  size_t before = 0;             // of the block that falls into it
  std::string label;             // of its block
  std::optional<int64_t> trips;  // if the set-up says so
  int count = -1;                // scalar register that still holds it where the loop is entered
  RegisterSet decides;  // what a jump past the loop reads, at the end of the block that falls in
  std::vector<Instruction> body;
  RegisterSet live_in, live_out;  // where it is entered; where it is left
  RegisterSet free;               // neither live there nor used by the body
};

struct LoopOrReason {
  std::optional<Loop> loop;
  std::string reason;  // why there is none
};

// Comments, blank lines, line numbers and alignment: control falls through them.
bool falls_through(const Item& item);

// The loop whose block is program.segments[segment], a block that ends in :endloop0.
LoopOrReason loop_at(const Program& program, size_t segment, const ProgramFacts& facts);

}  // namespace burin::vliw
