// What guards of pipelined loops compare, and what that says about all iterations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vliw/checker/checker.h"
#include "vliw/checker/symbolic_run.h"

namespace burin::vliw {

struct TripCount {
  std::optional<int64_t> constant;
  const std::vector<int>& values;  // each of them is the count, where it is no constant
};

// Is the predicate what the guard claims to compare, for the registers of `run`?
bool compares_distance(const PipelinedClaim::Guard& guard, const SymbolicRun& run, int predicate,
                       const TripCount& trips, Values& values);

// Why pointers that are apart at the start, as the guard says, do not stay so in iterations like
// this one; empty if they do. once: the body, run once from any state.
std::string stays_apart(const PipelinedClaim::Guard& guard, const SymbolicRun& once,
                        const Values& values, const Machine& machine);

}  // namespace burin::vliw
