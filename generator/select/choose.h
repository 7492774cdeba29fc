// Policies: KernelGraph -> LoopPlans. Decides how every kernel becomes loops, and the layout of the
// constants that these loops read. select/select.h makes programs of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/schedule/loop_plan.h"
#include "select/select.h"
#include "select/select_options.h"

namespace burin {

struct LoopPlans {
  KernelGraph graph;  // with prepacked constants
  std::map<StepId, LoopPlan> plans;
  std::map<StepId, std::string> keys;  // of the kernels as they were given (select/device/tuning.h)
  size_t unlocked = 0;                 // kernels that a lock does not know
};

// The best loops of one kernel for this hardware: those of the fast family it belongs to, else
// generic ones. What is given goes before what is chosen.
LoopPlan best_plan(const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware,
                   const Given& given = {});

// Steps that have no identity get one. Refused: locked verbs that a kernel cannot have.
LoopPlans choose_loops(KernelGraph graph, const Hardware& hardware,
                       const SelectOptions& options = {});

// Their programs: what select() makes of a graph.
Selection with_programs(LoopPlans chosen, const Hardware& hardware);

std::string to_string(const LoopPlans& chosen);  // their programs

}  // namespace burin
