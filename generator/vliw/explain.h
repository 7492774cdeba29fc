// Why a block costs what it costs: per packet when it starts, what it waits for, the slot and the
// HVX units of each instruction, and why it closed.
#pragma once

#include <string>
#include <vector>

#include "vliw/packer.h"

namespace burin::vliw {

struct ExplainedInstruction {
  std::string text;
  std::string slots;  // "0", "2", "0 1"
  std::string units;  // "mpy0 mpy1"
};

struct ExplainedPacket {
  int cycle = 0;          // of its start, from the start of the block
  int stall = 0;          // cycles it waited
  std::string waits_for;  // what it waited for
  std::vector<ExplainedInstruction> instructions;
  std::string closed;  // why the next packet's first instruction is not in it
};

struct ExplainedBlock {
  std::string label;
  int line = 0;
  std::string chosen;
  bool optimal = false, loop = false;
  Cost before, after;
  Bound bound;
  std::vector<ExplainedPacket> packets;
  std::string part;                      // of a pipelined loop; see BlockReport
  std::optional<LoopReport> pipelining;  // of a hardware loop
};

std::vector<ExplainedBlock> explain(const PackResult& result, const Machine& machine);

std::string explain_text(const std::vector<ExplainedBlock>& blocks);
std::string explain_json(const std::vector<ExplainedBlock>& blocks);
std::string explain_html(const std::vector<ExplainedBlock>& blocks, const std::string& title);

}  // namespace burin::vliw
