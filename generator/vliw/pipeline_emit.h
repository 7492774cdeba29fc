// A modulo schedule as code: guards, prologue, kernel, epilogue.
#pragma once

#include <optional>

#include "vliw/software_pipeline.h"

namespace burin::vliw {

struct PipelineParts {
  const Loop& loop;
  const std::vector<Instruction>& body;  // renamed, with copies
  const LoopGraph& graph;
  const ModuloSchedule& schedule;
  const ModuloPackets& packets;
  const Machine& machine;
  const PipelineLabels& labels;
  int unroll = 1;  // iterations of the original in `loop.body`
};

// Nothing, with the reason, when an offset leaves its range, or no register is free for the guards.
std::optional<Pipelined> emit_pipeline(const PipelineParts& parts, std::string& reason);

}  // namespace burin::vliw
