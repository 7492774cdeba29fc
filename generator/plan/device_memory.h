// Buffers and images that are larger than a device gives are refused.
#pragma once

#include <map>

#include "hardware/hardware.h"
#include "plan/image_pool.h"
#include "plan/memory_plan.h"

namespace burin {

struct ImagesOnDevice {
  const ImagePool& pool;                         // that kernels write
  const std::map<ValueId, Constant>& constants;  // as texels
};

// Refused (device): arena, inputs and outputs, which share one buffer, or the constants are larger
// than the device's largest buffer at the smallest sizes that a caller may pass, or all together
// with its images are larger than its memory.
void refuse_beyond_device(const KernelGraph& graph, const MemoryPlan& memory,
                          const ImagesOnDevice& images, const Hardware& hardware);

}  // namespace burin
