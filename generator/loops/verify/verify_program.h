// Is a program one that may be printed? Asked of products of bytes and signs whenever they are
// made, and of every program of the test models (tests/differential/programs_test.cpp); written
// from what statements mean, without the transforms that made them.
#pragma once

#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

// What a machine has; 0: no limit.
struct MachineLimits {
  int64_t register_bytes = 0;  // of all buffers in registers that exist at one place
};

// The faults of a program, one line each; empty: there is none.
//
//   names     variables are set by a loop or a Let around their uses, once at a place; buffers that
//   are
//             not there from the beginning are allocated around theirs; names differ
//   types     values have the compute type of the buffer they go to; ranks agree; calls fit their
//   row writes    go to no constant operand; keyed combiners have a key, payloads and a boolean
//   defined   stack, registers and locals are written somewhere before they are read
//   bounds    an index that can be shown to leave its buffer at every point does not pass
//   races     two points of a thread, item, group or vector loop touch no element of one buffer, of
//             which one of them writes it, unless the buffer is allocated inside of the loop
//   scratch   buffers in scratch do not overlap
//   matrices  a unit for them is open where it is used, and has one at a time
//   registers fit the limit, from where they are allocated to where they are last used
std::vector<std::string> verify(const Program& program, const MachineLimits& limits = {});

}  // namespace burin::loops
