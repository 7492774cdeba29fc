// select: KernelGraph -> Selection. Decides how every kernel becomes loops, and the layout of the
// constants that these loops read.
#pragma once

#include <map>
#include <set>
#include <string>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/device/tuning.h"
#include "select/schedule/schedule.h"
#include "select/winograd_choice.h"

namespace burin {

struct Selection {
  KernelGraph graph;  // with prepacked constants
  std::map<StepId, KernelSchedule> kernels;
  std::map<StepId, std::string> keys;  // of the kernels as they were given (select/device/tuning.h)
  size_t unlocked = 0;                 // kernels that a lock does not know
};

// The best schedule of one kernel for this hardware: the fast family it belongs to, else generic
// loops. What is given goes before what is chosen.
KernelSchedule best_schedule(const Kernel& kernel, std::vector<Value>& values,
                             const Hardware& hardware, const Given& given = {});

struct SelectOptions {
  std::set<std::string> without = {};   // words of verbs that no kernel has
  const Tuning* tuning = nullptr;       // its kernels are as it says; may be null
  const LockedVerbs* locked = nullptr;  // its kernels have these verbs and no others; may be null
  // Convolutions by fewer products may err by so much together, as a share of the largest result
  // (select/winograd_choice.h); 0: there are none.
  double winograd_error = kWinogradError;
};

// Steps that have no identity get one. Refused: locked verbs that a kernel cannot have.
Selection select(KernelGraph graph, const Hardware& hardware, const SelectOptions& options = {});

// Programs of the launches of a device, once it is settled which tensors are images.
void give_launch_programs(std::map<StepId, KernelSchedule>& kernels,
                          const std::vector<Value>& values, const ImageMaps& images);

std::string to_string(const Selection& selection);

}  // namespace burin
