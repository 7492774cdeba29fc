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
  std::string rule;  // "slots", "pipes", "two-writers", "no-producer", ...
  std::string message;
  bool operator==(const Violation&) const = default;
};

// Rules that any packet must keep: words, slots, pipes, one writer per register, producers of .new,
// solo instructions, changes of flow, ends of loops.
std::vector<Violation> check_packets(const Module& module, const Machine& machine);

// Do the two modules compute the same? Labels and directives must agree in order; between them both
// are run on symbols, packet by packet, and must agree in every register and every store whenever
// control may leave. Sound, not complete: equal programs that are written differently may be
// refused. O(instructions * registers in a change of flow + accesses^2 between labels).
std::vector<Violation> check_equal(const Module& original, const Module& packed,
                                   const Machine& machine);

// "12: two-writers: r3 is written twice"
std::string describe(const Violation& violation);

}  // namespace burin::vliw
