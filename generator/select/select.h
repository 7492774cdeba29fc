// select: KernelGraph -> Selection. Decides how every kernel becomes loops, and the layout of the
// constants that these loops read.
#pragma once

#include <map>
#include <string>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/device/tuning.h"
#include "select/schedule/schedule.h"

namespace burin {

struct Selection {
  KernelGraph graph;  // with prepacked constants
  std::map<StepId, KernelSchedule> kernels;
  std::map<StepId, std::string> keys;  // of the kernels as they were given (select/device/tuning.h)
};

// The best schedule of one kernel for this hardware: the fast family it belongs to, else generic
// loops.
KernelSchedule best_schedule(const Kernel& kernel, std::vector<Value>& values,
                             const Hardware& hardware, bool versions = true,
                             const KernelTuning* tuned = nullptr);

// Steps that have no identity get one. Without `versions` a product has one tile, whatever its rows
// (SoD2 4.4.2 switched off). With `tuning` the kernels that it knows are as it says, and keys are
// told.
Selection select(KernelGraph graph, const Hardware& hardware, bool versions = true,
                 const Tuning* tuning = nullptr);

// Programs of the launches of a device, once it is settled which tensors are images.
void give_launch_programs(std::map<StepId, KernelSchedule>& kernels, const std::vector<Value>& values,
                          const ImageMaps& images);

std::string to_string(const Selection& selection);

}  // namespace burin
