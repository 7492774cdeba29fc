// The packer: assembly in, packed assembly out.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "vliw/checker/checker.h"
#include "vliw/liveness.h"
#include "vliw/policy.h"
#include "vliw/software_pipeline.h"

namespace burin::vliw {

struct PackOptions {
  Policy policy = Policy::kBest;
  bool strict = false;                 // refuse what the table does not know
  double w = -1;                       // weight of Equation 4; negative: the machine file's
  int64_t node_limit = 4000;           // of the branch and bound, per block
  int64_t module_node_limit = 200000;  // and of all blocks together; see NodeBudget
  bool pipeline = true;                // software pipelining of loop0 bodies, by policy best
  AtReturn at_return = AtReturn::kConvention;  // which registers a pipelined loop may take
  PipelineOptions pipelining;
  std::set<std::string> not_pipelined;  // labels of loops that are left as packed
  std::set<std::string> far_labels;     // jumps to them bring a constant extender
};

// What became of a hardware loop.
struct LoopReport {
  bool pipelined = false;
  std::string reason;  // why not
  PipelineBounds bounds;
  int ii = 0, stages = 0, copies = 0, unroll = 1;
  std::vector<PipelinedClaim::Guard> apart;
};

// What happened to one block.
struct BlockReport {
  int line = 0;
  std::string label;  // of the block, or empty
  int units = 0;
  bool loop = false;   // ends in :endloop0 and is entered at its own start
  Cost before, after;  // packets as read, packets as written
  Bound bound;
  bool optimal = false;  // proved by the search or by meeting the bound
  std::string chosen;  // "sda", "list", "exact", "original"; with " fused" where a compare and jump
                       // became one word
  std::string part;    // of a pipelined loop: "guard", "prologue", "kernel", "epilogue", "short
                       // set-up", "short loop", "short exit"; else empty
  std::optional<LoopReport> pipelining;  // of a body that ends in :endloop0
  std::vector<Packet> packets;
};

struct PackResult {
  Module module;
  std::vector<PipelinedClaim> pipelined;  // for the checker
  std::vector<BlockReport> blocks;
  std::vector<std::string> warnings;
};

// Refused (illegal-packet): a packet of the input that the machine does not take; (bad-weight) w
// above 1. Packs every block of the module and proves the result with the checker (check.h): a
// result that does not pass is a bug of ours (InternalError), never output.
PackResult pack(const Module& module, const Machine& machine, const PackOptions& options);

// "sda", "soft-to-hard", ...; refused when unknown.
Policy policy_of(const std::string& name);
std::string_view name_of(Policy policy);

}  // namespace burin::vliw
