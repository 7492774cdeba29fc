// Sizes that a run finds out on a device: where they are known.
//
// A kernel that depends on such a size can read it from a small buffer of the device, where another
// kernel wrote it, so that the host need not wait for it: it launches for the most that the size
// may be, and work-items look where it ends. The host must know a size that decides what it does: a
// condition, the trips of a loop or of a launch that it repeats, what a procedure gets, how much an
// output takes.
//
// What is checked of such sizes is a size as well: a flag, 1 where this check and all before it
// held. Kernels behind a check run only where its flag is 1; the run's status comes from the flags,
// at its end, or before the host next decides by data.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/joint/launch_groups.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

struct DeviceSize {
  Symbol symbol;
  ValueId value =
      kNoValue;         // from element `at` on: the size, within its bounds; the same before that
  std::string on_host;  // why the host reads it when it is there; empty: kernels alone do
  std::string check{};  // what a flag is about; empty: it is none
  int64_t at = 0;       // kernels that find several sizes write one value
  int number = 0;       // the place among all of them in the order of the steps
  bool operator==(const DeviceSize&) const = default;
};

struct DeviceSizes {
  std::vector<DeviceSize> sizes;  // in the order in which kernels find them
  // The size, where kernels read it from the device; else null.
  const DeviceSize* held(const Symbol& symbol) const;
  // The place of the first size of one of the values among all of them; -1: it has none.
  int place_of(ValueId value) const;
  // The flag without which this step of the graph must not run; null: it may.
  const DeviceSize* gate_of(StepId step) const;

  std::map<StepId, int> gates{};  // places of flags, by the step of a kernel
  bool operator==(const DeviceSizes&) const = default;
};

// Steps that find a size which nothing of the graph needs on the host become kernels: procedures
// that have such a form (kernel/procedures/procedure_kernels.h), what Binds evaluate, and checks of
// such sizes. A Bind then reads what a kernel wrote. Procedures become kernels where these take
// less time by a simple count, also where the host must know the size that they find. Every size is
// a kernel's of its own.
KernelGraph find_sizes_on_device(KernelGraph graph, DeviceSizes& sizes, const Hardware& hardware);

// Kernels that find sizes and flags become one where each has what it needs at the place of the
// first: the others' sizes are lets of it. What stands behind a check is evaluated where the flag
// is 1, so that none of them waits for it. Binds and checks stay where they are.
KernelGraph fuse_size_kernels(KernelGraph graph, DeviceSizes& sizes, const Hardware& hardware);

// What launches make of it: where the host counts by a size, or a work-group could not tell that it
// lies beyond one, the host reads it; and which kernels wait for which flag.
void decide_device_sizes(DeviceSizes& sizes, const KernelGraph& graph,
                         const std::map<StepId, KernelSchedule>& kernels,
                         const LaunchGroups& groups);

// From the definition: where the host or a launch depends on a size that it does not know; empty:
// nowhere.
std::string check_device_sizes(const DeviceSizes& sizes, const KernelGraph& graph,
                               const std::map<StepId, KernelSchedule>& kernels);

// A dimension that the host launches for: the most that sizes on the device may make it.
Dim launched_for(const Dim& dim, const DeviceSizes& sizes);
// Whether a size on the device takes part.
bool depends_on_device(const Dim& dim, const DeviceSizes& sizes);

std::string to_string(const DeviceSizes& sizes);

}  // namespace burin
