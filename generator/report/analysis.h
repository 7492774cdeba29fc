// Analysis: a compiled plan as figures, for `burin analyze`, dashboards and tests of claims. Sizes
// that depend on symbols are given at their hints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline.h"

namespace burin {

struct KernelFigures {
  std::string name, family, reason;
  std::vector<Origin> nodes;
  int64_t macs = 0;                           // multiplications that are summed
  int64_t bytes_read = 0, bytes_written = 0;  // of the operands, each once
  std::vector<std::string> layouts;           // of the operands
  bool is_movement = false;                   // computes nothing
  bool dropped = false;                       // a view: not run
};

struct ShapeCounts {
  int64_t known = 0, symbolic = 0, derived = 0,
          nac = 0;  // dimensions: constant, one symbol, an expression, of the run
};

struct Analysis {
  std::string model, hardware;
  int64_t nodes = 0, parameters = 0, macs = 0;
  std::vector<KernelFigures> kernels;
  std::vector<NodeFacts> operators;
  ShapeCounts shapes;
  std::string arena_bytes, lower_bound, naive_bytes;  // numbers or expressions
  int64_t arena_at_hints = 0, lower_bound_at_hints = 0, naive_at_hints = 0;
  std::string memory_method;
  std::vector<StageTime> stages;
};

Analysis analyze(const Compiled& compiled);

std::string to_text(const Analysis& analysis);
std::string to_json(const Analysis& analysis);

}  // namespace burin
