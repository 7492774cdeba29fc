// Pipelines the hardware loops of a program whose blocks are packed.
#pragma once

#include "vliw/pack_block.h"

namespace burin::vliw {

// reports[b] and items[b] belong to the b-th block of the program. Loops that gain get their new
// code in `items`; every hardware loop's report says what became of it; the parts of a pipelined
// loop come behind its report in the answer's `blocks`.
struct PackedLoops {
  std::vector<BlockReport> blocks;
  std::vector<PipelinedClaim> pipelined;
};
PackedLoops pack_loops(const Program& program, std::vector<BlockReport> reports,
                       std::vector<std::vector<Item>>& items, Resources& resources,
                       const PackOptions& options, NodeBudget& budget);

}  // namespace burin::vliw
