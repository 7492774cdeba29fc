// Identities of steps, and the order in which steps run as a value of its own.
//
// A run order has every step once, depth first, parents before children: the places of the steps of
// a list in it are the order of that list, and the steps inside of one follow it. The place of a
// step in it is its position.
#pragma once

#include <map>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Steps that have no identity yet get one, in the order in which they stand; the others keep
// theirs.
KernelGraph with_step_ids(KernelGraph graph);

using RunOrder = std::vector<StepId>;
RunOrder run_order(const Steps& steps);

// The steps of every list in this order; they stay in their lists. The order must have them all.
KernelGraph in_order(KernelGraph graph, const RunOrder& order);

// Where the steps stand in a run order.
class Positions {
 public:
  explicit Positions(const RunOrder& order);
  explicit Positions(const KernelGraph& graph) : Positions(run_order(graph.steps)) {}
  int at(StepId step) const;  // an internal error where there is no such step
  bool contains(StepId step) const { return positions_.contains(step); }

 private:
  std::map<StepId, int> positions_;
};

std::string to_string(StepId step);
std::string to_string(const RunOrder& order);  // numbers and spaces

}  // namespace burin
