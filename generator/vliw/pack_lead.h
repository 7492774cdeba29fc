// The block in front of a pipelined loop, packed with the loop's first guard.
#pragma once

#include <functional>
#include <optional>

#include "vliw/hardware_loop.h"
#include "vliw/packer.h"

namespace burin::vliw {

struct LeadParts {
  const Block& in_front;
  const BlockReport& alone;  // of that block
  const Loop& loop;
  const Pipelined& way;
  const BlockReport& guard;         // the first
  std::optional<RegisterSet> live;  // where the jump at the block's end leads, if there is one
};

struct Lead {
  std::optional<BlockReport> report;  // of the block and the guard; of the block alone if
  std::optional<BlockReport> guard;   // this one has the guard
  bool without_set_up = false;        // the prologue has one, or the guard
  double gain = 0;                    // cycles
};

// Nothing where it gains nothing. Behind a block that ends in a jump past the loop, the set-up goes
// below the jump, to the guard, or what the guard computes goes above it, so that the two jumps
// share a packet; both only where nobody reads it where the jump leads.
Lead lead(const LeadParts& parts, const Machine& machine,
          const std::function<BlockReport(const Block&)>& packed);

}  // namespace burin::vliw
