// select: KernelGraph -> Selection. Every kernel becomes a program of loops, by what its policy
// chose (select/choose.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/schedule/kernel_schedule.h"
#include "select/select_options.h"

namespace burin {

struct Selection {
  KernelGraph graph;  // with prepacked constants
  std::map<StepId, KernelSchedule> kernels;
  std::map<StepId, std::string> keys;  // of the kernels as they were given (select/device/tuning.h)
  size_t unlocked = 0;                 // kernels that a lock does not know
};

// Refuses what choose_loops() refuses. Programs of a device come later.
Selection select(KernelGraph graph, const Hardware& hardware, const SelectOptions& options = {});

// Programs of the launches of a device, once it is settled which tensors are images.
void give_launch_programs(std::map<StepId, KernelSchedule>& kernels,
                          const std::vector<Value>& values, const ImageMaps& images);

std::string to_string(const Selection& selection);

}  // namespace burin
