// select: KernelGraph -> Selection. Decides how every kernel becomes loops, and the layout of the
// constants that these loops read.
#pragma once

#include <map>
#include <string>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/schedule.h"

namespace burin {

struct Selection {
  KernelGraph graph;                      // with prepared constants
  std::map<int, KernelSchedule> kernels;  // by position of the step, depth first
};

// The best schedule of one kernel for this hardware: the fast family it belongs to, else generic
// loops.
KernelSchedule best_schedule(const Kernel& kernel, std::vector<Value>& values,
                             const Hardware& hardware, bool versions = true);

// Without `versions` a product has one tile, whatever its rows (SoD2 4.4.2 switched off).
Selection select(KernelGraph graph, const Hardware& hardware, bool versions = true);

std::string to_string(const Selection& selection);

}  // namespace burin
