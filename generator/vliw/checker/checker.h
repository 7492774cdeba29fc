// The judge of packed assembly. It shares the reader and the machine file with the packer and
// nothing else: its own slot assignment, its own reading of effects, and a symbolic run instead of
// a dependence graph. It runs on every output.
#pragma once

#include <string>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

struct Violation {
  int line = 0, column = 0;  // of the packet
  std::string rule;          // "slots", "pipes", "two-writers", "no-producer", ...
  std::string message;
  std::string loop = {};  // label of the pipelined loop that is not proven, if it is about one
  bool operator==(const Violation&) const = default;
};

// Rules that any packet must keep: words, slots, pipes, one writer per register, producers of .new,
// solo instructions, changes of flow, ends of loops.
std::vector<Violation> check_packets(const Module& module, const Machine& machine);

// Where a pipelined loop of the packed text is said to be. None of it is believed: what does not
// hold is a violation.
struct PipelinedClaim {
  std::string label;         // of the original's body and of the kernel
  int stages = 1;            // the prologue starts stages - 1 times the kernel's work
  int unroll = 1;            // iterations of the original per kernel
  int prologue_packets = 0;  // in front of the label
  int epilogue_packets = 0;  // behind the kernel
  int peeled_packets = 0;    // one iteration in front of the prologue
  std::string even;          // label of the prologue, where the peeled one is skipped
  std::string short_loop, short_body, done;  // empty without guards
  bool away = false;  // the short loop stands behind code that never falls into it
  struct Guard {
    int a = 0, b = 0;    // registers that point apart
    int64_t window = 0;  // by more than this
    int shift = 0;       // 0: the distance never changes; see pipelined.h
    int64_t room = 0;
    int64_t aligned = 0;  // > 0: the guard only tells them to differ, both being multiples of this
    bool operator==(const Guard&) const = default;
  };
  std::vector<Guard> guards;
  bool operator==(const PipelinedClaim&) const = default;
};

// Do the two modules compute the same? Labels and directives must agree in order; between them both
// are run on symbols, packet by packet, and must agree in every register and every store whenever
// control may leave. Sound, not complete: equal programs that are written differently may be
// refused. O(instructions * registers in a change of flow + accesses^2 between labels).
// Pipelined loops are judged by pipelined.h; by_convention: a return reads what the calling
// convention says, not every register.
std::vector<Violation> check_equal(const Module& original, const Module& packed,
                                   const Machine& machine,
                                   const std::vector<PipelinedClaim>& claims = {},
                                   bool by_convention = true);

// "12: two-writers: r3 is written twice"
std::string describe(const Violation& violation);

}  // namespace burin::vliw
