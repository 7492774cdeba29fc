// Prints one launch of a scheduled kernel as an OpenCL C function. The loops, expressions and
// addresses are those of backends/cpp; what is added is where a work-item finds its point, and
// where tensors start in their buffers.
#pragma once

#include <vector>

#include "backends/cpp/kernel_printer.h"
#include "select/schedule.h"

namespace burin::opencl {

// The functions take, in order: for every tensor its buffer and the place of its first element
// (ulong), the scratch likewise in bytes, sizes, and the points of axes that the host counts.
// Tensors and sizes that the launch does not use are left out.
cpp::PrintedKernel print_launch(const KernelSchedule& schedule, const Launch& launch,
                                const std::vector<Value>& values,
                                const std::vector<ValueId>& aliased, const cpp::ValueNames& names);

}  // namespace burin::opencl
