// Which loop of a program threads share, where a policy writes the program with the loop in it.
//
// The policy says which of its loops may be shared, and in parts of how many points; what a part
// takes is read off the program with that loop in its smallest parts, and off the one that is not
// shared (parallel_cost.h): what each part does anew is in it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "loops/program.h"
#include "select/verbs/verbs.h"

namespace burin {

struct ShareableLoop {
  int axis = -1;         // of the kernel; in the verb "threads"
  Dim extent = 1;        // points
  int64_t multiple = 1;  // of which parts have whole ones
  // Whether a call may also make its parts one by one, each as if it were alone: that shows parts
  // apart in some programs where all of a call's at once does not.
  bool one_by_one = false;
};

// One of the loops, in parts of so many points.
struct LoopParts {
  size_t loop = 0;
  int64_t grain = 1;
  bool one_by_one = false;  // a call makes its parts one by one
};

struct SharedProgram {
  std::optional<LoopParts> sharing;  // none: one thread runs it
  loops::Program program;
  bool unproven = false;  // parts would repay, and none are shown to be apart
};

// What a schedule's reason says of that; empty: nothing.
inline const char* reason_of(const SharedProgram& shared) {
  return shared.unproven ? "; by one thread, since parts are not shown to be apart" : "";
}

// The program in the division of least time at the hinted sizes; of one whose sizes are the
// caller's and that repays at larger ones only, in parts that repay there. `make`: the program in a
// division; its one loop of kind `thread` counts the parts. A loop whose parts are not shown to be
// apart is not shared; what is given back is verified. `given`: verb "threads"; what may not be so
// is not taken. Makes and prices a program for each loop, and one more.
SharedProgram share_program(
    const std::vector<ShareableLoop>& loops,
    const std::function<loops::Program(const std::optional<LoopParts>& sharing)>& make,
    const Hardware& hardware, const Given& given);

}  // namespace burin
