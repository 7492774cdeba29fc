// Prints one launch of a scheduled kernel as an OpenCL C function. The loops, expressions and
// addresses are those of backends/cpp; what is added is where a work-item finds its point, and
// where tensors start in their buffers.
#pragma once

#include <vector>

#include "print/kernel_printer.h"
#include "select/images/image_plan.h"
#include "select/joint/device_sizes.h"
#include "select/joint/launch_groups.h"
#include "select/schedule/kernel_schedule.h"

namespace burin::opencl {

// The functions take, in order: for every tensor its buffer and the place of its first element
// (ulong), or its image (`images` has those); the scratch likewise in bytes, sizes, and the points
// of axes that the host counts; a gated one at last the flag without which it does nothing. Tensors
// and sizes that the launch does not use are left out.
print::PrintedKernel print_launch(const KernelSchedule& schedule, size_t number,
                                  const std::vector<Value>& values, const ImageMaps& images,
                                  const DeviceSizes& sizes, bool gated,
                                  const std::vector<ValueId>& aliased);

// A member of a joint launch: a function that takes, behind these, the number of its work-group
// (int) and, where it needs that, local memory (__local float4*).
struct PrintedPart {
  print::PrintedKernel kernel;
  int64_t room = 0;  // vectors of local memory of a joint work-group
};
PrintedPart print_member(const KernelSchedule& schedule, const LaunchMember& member, int items,
                         const std::vector<Value>& values, const ImageMaps& images,
                         const std::vector<ValueId>& aliased);

}  // namespace burin::opencl
