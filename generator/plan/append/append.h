// State that a loop makes longer, kept where it is: an iteration writes what is new behind what is
// old, instead of all of it to another place and back.
//
//   T[i] := {i < g: S[i]; else new[i - g]}   ...   N[i] := T[i]   ...   S[i] := N[i]
//
// becomes a write of S[g + j] := new[j], where S has room for its largest extent from the
// beginning, so that what is old keeps its address whichever dimension grows. Everything that read
// T or N reads S. What makes that right: nothing else writes S in the loop, all that T has at an
// index below g is what S has there, and what is written lies at g or above.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct Append {
  ValueId state = kNoValue;
  std::vector<ValueId> grown;  // what becomes the state: T first, then copies of it
  int dimension = 0;           // that grows
  std::vector<Dim> room;       // the state's shape from here on
  bool operator==(const Append&) const = default;
};

struct AppendPlan {
  std::vector<Append> appends;  // in the order of the loops, the outermost first
  bool operator==(const AppendPlan&) const = default;
};

AppendPlan plan_appends(const KernelGraph& graph);

KernelGraph apply_appends(KernelGraph graph, const AppendPlan& plan);

// Independent of the planner, from the definition: follows the points of all writes at several
// sizes. Empty, or the fault.
std::string check_appends(const KernelGraph& graph, const AppendPlan& plan);

std::string to_string(const AppendPlan& plan);

}  // namespace burin
