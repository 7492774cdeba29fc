// States of the caller (--state, plan/append/keep_states.h), and those of them that a device keeps:
// they have a buffer of their own there, from run to run, so that a step transfers only what is
// new.
#pragma once

#include <set>
#include <vector>

#include "backends/model_plan.h"

namespace burin {

struct KeptState {
  ValueId input = kNoValue, output = kNoValue;  // one buffer
};
// All of them, in the order of the steps.
std::vector<KeptState> kept_states(const ModelPlan& plan);
// Of a device all whose size the caller's sizes say; others, and all on a CPU, are copied by a step
// where the caller has two buffers. In the order of the steps.
std::vector<KeptState> kept_on_device(const ModelPlan& plan);
// Which of them a value is; -1: none.
int state_number(const std::vector<KeptState>& states, ValueId id);
// The inputs and outputs that are one.
std::set<ValueId> values_of(const std::vector<KeptState>& states);

}  // namespace burin
