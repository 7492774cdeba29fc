// What a machine starts for statements: instructions by the pipes that take them.
#pragma once

#include <functional>
#include <set>

#include "cost/loop_forms.h"
#include "hardware/hardware.h"
#include "loops/program.h"

namespace burin::cost {

// In parts of a cycle (kCycle), so that several pipes divide evenly.
inline constexpr int64_t kCycle = 6400;

struct Issue {
  int64_t arithmetic = 0;  // cycles of the pipes that multiply and add
  int64_t loads = 0;       // cycles of the pipes that load
  int64_t stores = 0;
  int64_t functions = 0;     // cycles of exp, log and their like
  int64_t latency = 0;       // until the next turn can go on: what each turn adds to the same sums
  int64_t instructions = 0;  // of all kinds, kCycle each
  int64_t depth = 0;         // from its first load to its last result
  int64_t exposed = 0;       // of its loads: what nothing beside them hides

  Issue& operator+=(const Issue& other);
  Issue operator*(int64_t times) const;  // latency and depth stay: turns overlap
  // Pipes work side by side.
  int64_t cycles(const VectorUnit& unit) const;
};

// Of a permutation of lanes, and of a load from the nearest cache: cycles until the result is
// there.
inline constexpr int64_t kPermuted = 3;
int64_t load_latency(const Hardware& hardware);

// What rows of isa/ start: the one place that says what a multiply-add, a load and a sum that waits
// cost.
struct Started {
  int64_t operations = 0;  // of registers
  int64_t broadcasts = 0;  // loads of one element into all lanes
  int64_t vectors = 0;     // loads of whole registers
  int64_t stores = 0;
  int64_t chain = 0;  // operations on one sum, each of which waits for the one before
  int64_t apart = 1;  // such sums that turns take one after the other
};
struct Timing {
  int64_t per_cycle, latency;
};
Issue issue_of(const Started& started, const Timing& timing, const VectorUnit& unit);

// One point of the depth of a register tile: rows x vectors products of floats, of which each
// element has so many sums.
Issue issue_of_step(int rows, int vectors, int accumulators, const VectorUnit& unit);

// Which variables are written out around a statement, and how often each.
struct WrittenOut {
  std::vector<std::pair<int, int64_t>> vars;  // and their turns
  int64_t turns() const;
  // Of those that the indices move with: what moves with no other is there once.
  int64_t turns_of(const std::vector<Index>& at) const;
};

// A call of a row, in all turns of the loops that are written out around it; `turning`: the
// variable of the loop that turns around these, or -1.
Issue issue_of(const loops::Call& call, const WrittenOut& around, int turning,
               const Hardware& hardware);

// A store in one turn of `form`. What moves with neither of its variables is made before the loop.
// `changing`: buffers that the loop stores to; `holds`: which side of a condition runs that does
// not move with them.
using Holds = std::function<bool(const Guard& guard)>;
Issue issue_of(const loops::Program& program, const loops::Store& store, const Form& form,
               const std::set<loops::BufferId>& changing, const Lets& lets, const Holds& holds,
               const Hardware& hardware);

}  // namespace burin::cost
