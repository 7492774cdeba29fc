// Cost: cycles of a program on a machine, in integers, from the program and the description alone.
//
// Arithmetic: every statement as often as loops run it, by the pipes that take it; sums wait for
// the sums of the turn before. Loops whose turns differ (blocks, of which the last one is shorter)
// are looked at in their first turn, one in the middle and the last one.
// Memory: for each cache the bytes that come into it. A loop whose body fits a cache brings what it
// touches once; one that does not brings it again in each turn.
// They overlap, but not all of it: a core waits for what it did not foresee.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hardware/hardware.h"
#include "loops/program.h"

namespace burin::cost {

struct Cost {
  int64_t arithmetic = 0;      // cycles of one core
  int64_t one_by_one = 0;      // of these, in loops whose elements no vectors take
  std::vector<int64_t> moved;  // bytes into each cache, nearest first
  int64_t touched = 0;         // bytes
  int64_t memory = 0;          // cycles that these take, one after the other
  // Half of the shorter one is hidden behind the other.
  int64_t cycles() const {
    return arithmetic > memory ? arithmetic + memory / 2 : memory + arithmetic / 2;
  }
  bool operator==(const Cost&) const = default;
};

// A dynamic size.
using SizeOf = std::function<int64_t(const Dim& size)>;

// What is asked of a program.
struct Question {
  // Of loops that threads share, outermost first: the points of one call. None: a call for every
  // part, one after the other; or one call for all points.
  std::vector<Range> parts = {};
  bool one_call = false;
  int threads = 1;  // that run such calls at the same time: they share the bandwidth of memory
  // Tensors that come from afar: between two runs of the kernel so many bytes are touched. The
  // others are where all that the kernel touches has room.
  std::function<bool(ValueId)> from_afar = {};
  int64_t bytes_between = 0;
};

// Of one program, for several questions. Both must outlive it.
class Costs {
 public:
  Costs(const loops::Program& program, const Hardware& hardware, SizeOf size = at_hints);
  ~Costs();
  Costs(const Costs&) = delete;
  Costs& operator=(const Costs&) = delete;
  Cost of(const Question& question);

 private:
  struct Of;
  std::unique_ptr<Of> known_;
};

// O(statements x accesses x 3 for each loop around them whose turns differ).
Cost cost_of(const loops::Program& program, const Hardware& hardware, const Question& question = {},
             const SizeOf& size = at_hints);

// Turns of each loop that are run in all, in order of for_each: what arithmetic is counted with,
// for checkers.
std::vector<int64_t> turns_of_loops(const loops::Program& program, const Hardware& hardware,
                                    const Question& question = {}, const SizeOf& size = at_hints);

}  // namespace burin::cost
