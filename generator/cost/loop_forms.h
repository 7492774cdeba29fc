// How a compiler runs what stands in a loop: by vectors along a variable, or element by element.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "hardware/hardware.h"
#include "loops/program.h"

namespace burin::cost {

inline int64_t at_least_one(int64_t value) { return value < 1 ? 1 : value; }

// Lets in terms of the variables that loops count.
class Lets {
 public:
  explicit Lets(size_t vars) : values_(vars) {}
  void set(const loops::Let& let);
  void forget(int var);
  Index over_loops(const Index& index) const;

 private:
  std::vector<std::optional<Index>> values_;
  bool any_ = false;
};

// How far the place of an element moves with a variable, in elements.
struct Step {
  bool regular = true;  // the same from point to point
  int64_t by = 0;
  bool stays() const { return regular && by == 0; }
  // A vector of neighbours is one access, in order or turned round.
  bool is_vector() const { return regular && (by == 1 || by == -1); }
};
Step step_of(const Index& place, int var);
// The place of an element in its buffer, over variables that loops count.
Index place_of(const loops::Program& program, loops::BufferId buffer, const std::vector<Index>& at,
               const Lets& lets);

// How a straight line is run.
struct Form {
  int turning = -1;  // variable of the loop around it that turns; -1: none
  int lane = -1;     // variable of which `lanes` neighbouring points run at a time
  int lanes = 1;
};

// Points of `var` that vectors take at a time in all of `stmts`; 1: element by element. What
// vectors do, every store has: its elements lie side by side, or are of a variable that exists for
// one point. Sums of floats over the variable keep their order, so they are none. O(statements x
// accesses).
int lanes_along(const loops::Program& program, const loops::Stmts& stmts, int var,
                const Hardware& hardware, Lets lets);

// Whether a loop is so short that compilers write it out: of a number of turns that they know.
bool is_written_out(const loops::For& loop);

}  // namespace burin::cost
