// What a machine starts for statements: instructions by the pipes that take them.
#pragma once

#include "hardware/hardware.h"
#include "loops/program.h"

namespace burin::cost {

// In parts of a cycle (kCycle), so that several pipes divide evenly.
inline constexpr int64_t kCycle = 6400;

struct Issue {
  int64_t arithmetic = 0;  // cycles of the pipes that multiply and add
  int64_t loads = 0;       // cycles of the pipes that load
  int64_t stores = 0;
  int64_t functions = 0;  // cycles of exp, log and their like
  int64_t latency = 0;    // until the next turn can go on: what each turn adds to the same sums

  Issue& operator+=(const Issue& other);
  Issue operator*(int64_t times) const;  // latency stays: turns overlap
  // Pipes work side by side; loads are not hidden by arithmetic entirely
  // (VectorUnit::exposed_load_percent).
  int64_t cycles(const VectorUnit& unit) const;
};

// Which variables are written out around a statement, and how often each.
struct WrittenOut {
  std::vector<std::pair<int, int64_t>> vars;  // and their turns
  int64_t turns() const;
  // Of those that the indices move with: what moves with no other is there once.
  int64_t turns_of(const std::vector<Index>& at) const;
};

// A call of a row, in all turns of the loops that are written out around it.
Issue issue_of(const loops::Call& call, const WrittenOut& around, const Hardware& hardware);

// A store; `lanes` points of variable `along` at a time where it has that form (1: it has none).
struct StoreForm {
  int along = -1;
  int lanes = 1;
};
StoreForm form_of(const loops::Program& program, const loops::Store& store, int along,
                  const Hardware& hardware);
Issue issue_of(const loops::Program& program, const loops::Store& store, const StoreForm& form,
               const Hardware& hardware);

}  // namespace burin::cost
