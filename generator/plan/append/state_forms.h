// The shapes that a state of the caller has in the model: keep_states gives both of its sides the
// room of the longest, and data of a user have what there is.
#pragma once

#include <vector>

#include "kernel/caller_state.h"
#include "kernel/kernel.h"

namespace burin {

struct StateForm {
  size_t input = 0, output = 0;    // numbers among the graph's inputs and outputs
  std::vector<Dim> before, after;  // of the input, of the output
  bool leaves_zeros = false;       // some of the output's zeros are the caller's alone
};

// Of a graph that keep_states has taken, as it was before.
std::vector<StateForm> state_forms(const KernelGraph& graph,
                                   const std::vector<CallerState>& states);

}  // namespace burin
