// What a run needs of a device's memory; what is more than a device gives is refused.
#pragma once

#include <map>
#include <optional>

#include "hardware/hardware.h"
#include "plan/images/image_pool.h"
#include "plan/memory/memory_plan.h"

namespace burin {

struct ImagesOnDevice {
  const ImagePool& pool;                         // that kernels write
  const std::map<ValueId, Constant>& constants;  // as texels
};

// Bytes by what they are for. Sizes of the caller stay open; an output that nothing bounds has the
// capacity that its caller has, and is in none of these.
struct DeviceMemory {
  Dim arena = 0;          // intermediate results in the buffer of the run
  Dim outside = 0;        // inputs and outputs, behind it
  Dim images = 0;         // that kernels write
  int64_t constants = 0;  // a buffer
  int64_t texels = 0;     // constants in images
  Dim total() const;
  // At the largest sizes that a caller may pass; nothing where these have no bound.
  std::optional<int64_t> most() const;
};
DeviceMemory device_memory(const KernelGraph& graph, const MemoryPlan& memory,
                           const ImagesOnDevice& images);

// Refused (device): arena, inputs and outputs, which share one buffer, or the constants are larger
// than the device's largest buffer at the smallest sizes that a caller may pass, or all together
// with its images are larger than its memory.
void refuse_beyond_device(const KernelGraph& graph, const MemoryPlan& memory,
                          const ImagesOnDevice& images, const Hardware& hardware);

}  // namespace burin
