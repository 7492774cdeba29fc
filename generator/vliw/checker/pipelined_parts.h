// The parts of a pipelined loop, found in both texts where a claim says they are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vliw/checker/checker.h"
#include "vliw/checker/stretches.h"
#include "vliw/checker/word_counts.h"

namespace burin::vliw {

struct PipelinedParts {
  Stretch original_before, body, original_tail;
  Stretch packed_before, peeled, prologue, kernel, epilogue, short_setup, short_body, packed_tail;
  Stretch short_exit;   // back from a short loop that stands away
  size_t used = 0;      // stretches of the packed text
  std::string trouble;  // what is not where it should be; empty if all is
};

// Short loops that stand away, by label: set-up, and body with the jump back.
using ShortLoops = std::map<std::string, std::pair<Stretch, Stretch>>;

// Takes them out of the text's stretches; what control may fall into, or would leave other than by
// the jump back, stays.
ShortLoops take_short_loops(const std::vector<PipelinedClaim>& claims,
                            std::vector<Stretch>& stretches);

// original_before falls into original_loop; `packed` are the packed text's stretches from the one
// that stands for original_before on.
PipelinedParts cut_pipelined(const PipelinedClaim& claim, const Stretch& original_before,
                             const Stretch& original_loop, const std::vector<Stretch>& packed,
                             const ShortLoops& away);

// Does the part's last packet, and no other, end the loop?
bool ends_at_its_end(const Stretch& part);

// No change of flow (but an unconditional jump to `done`, unless that is empty), nothing that
// stands alone, no loop registers beside set-ups.
bool calm(const Packet& packet, const std::string& done);

// Is there a loop0?
bool sets_up(const Stretch& part);

// Does the last packet jump, whatever happens?
bool jumps_away(const Stretch& part);

// Is there one label of each of the claim's names, named by the parts alone? Empty if so.
std::string named_elsewhere(const PipelinedClaim& claim, const PipelinedParts& parts,
                            const Names& packed_names);

}  // namespace burin::vliw
