// Software pipelining of hardware loops.
//
//   set-up            as it was
//   guards            to the short loop unless there are at least `stages` iterations and the
//                     pointers taken to be apart are
//   prologue          loop0(.L,#n - stages + 1) and the first stages of the first iterations
//   .L: kernel        :endloop0
//   epilogue          the last stages of the last iterations; jump behind the short loop
//   short loop        the body as the block packer leaves it, with all n iterations
//
// The guards and the short loop are left out when the trip count is a constant and nothing is taken
// to be apart. Nothing runs that the original would not run: each stage runs once for each
// iteration, so there are no speculative loads.
//
// Two pointers a and b that gain s and t per iteration are apart when |a - b| > window, for s = t,
// which is asked as a - b + window > 2 window without sign where that is short; otherwise when |a -
// b| >> k > n + c, where 2^k is at least |s - t| and c << k at least the window: then they are a
// window apart in every one of the n iterations. |a - b| is the distance on the circle of 32-bit
// addresses. The window spans what `stages` iterations touch. The first guard shares its packets
// with the block in front of the loop, whose set-up goes where the prologue has one.
#pragma once

#include <string>
#include <vector>

#include "vliw/checker/checker.h"
#include "vliw/hardware_loop.h"
#include "vliw/modulo.h"

namespace burin::vliw {

struct PipelineBounds {
  int resource = 0;    // ResMII
  int recurrence = 0;  // RecMII of values and memory
};

// Work of the pipeliner for a whole module, in placements tried; graphs and longest ways count what
// they cost beside one. Loops are taken in order of what they may gain, so that it is spent where
// it matters; a count, so that the same input gives the same code everywhere.
struct PipelineBudget {
  int64_t left = 0;
  bool spent() const { return left <= 0; }
  void spend(int64_t nodes) { left -= nodes; }
};

struct PipelineOptions {
  int64_t search_limit = 4000;    // placements tried per II
  int64_t loop_limit = 80000;     // of one loop, so that those behind it have their turn
  int64_t module_limit = 500000;  // and of all loops together, see PipelineBudget
  int most_stages = 8;
  int most_instructions = 96;
};

struct PipelineLabels {
  std::string short_loop, short_body, done, even;
};

struct Pipelined {
  ModuloSchedule schedule;
  int unroll = 1;  // iterations per kernel: 2 where values need two registers in turn
  PipelineBounds bounds;
  int copies = 0;  // instructions added to the body
  std::vector<PipelinedClaim::Guard> apart;
  std::vector<Block> guards;              // each ends in a jump to the short loop
  Block peeled;                           // an iteration for odd trip counts, or empty
  Block prologue, epilogue, short_setup;  // the last is empty without guards
  std::vector<Packet> kernel;
};

struct PipelineOutcome {
  std::vector<Pipelined> ways;  // each with a smaller II than those before it
  PipelineBounds bounds;
  std::string reason;  // why there is none
};

// `cycles`: what an iteration costs now; only a smaller II is of use. Stops where the budget is
// spent, with what it has found.
PipelineOutcome pipeline(const Loop& loop, double cycles, Resources& resources,
                         const PipelineLabels& labels, const PipelineOptions& options,
                         PipelineBudget& budget);

}  // namespace burin::vliw
