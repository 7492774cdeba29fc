// One launch of a kernel's program (loops/program.h) as the text of a function: what it takes, and
// where tensors start in their buffers. The statements are printed as those of a CPU are.
#pragma once

#include <string>
#include <vector>

#include "kernel/image_map.h"
#include "print/kernel_printer.h"
#include "select/joint/device_sizes.h"
#include "select/joint/launch_groups.h"

namespace burin::opencl {

// An array that the work-items of a group share.
struct GroupArray {
  std::string type, name;
  int64_t elements = 0, bytes = 0;  // of all of them
};

struct LaunchFunction {
  print::PrintedKernel kernel;
  std::vector<GroupArray> arrays;  // `kernel.body` knows them by their names
};

struct LaunchContext {
  const KernelSchedule& schedule;
  size_t number = 0;  // of the launch among those of the kernel
  const std::vector<Value>& values;
  const ImageMaps& images;
  const DeviceSizes& sizes;
  // Of a joint launch: the member, and work-items of a joint work-group.
  const LaunchMember* member = nullptr;
  int items = 0;
};

LaunchFunction launch_function(const LaunchContext& context, const std::vector<ValueId>& aliased);

}  // namespace burin::opencl
