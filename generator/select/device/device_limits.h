// What a device lacks is refused while generating.
#pragma once

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

// Refused (device): the kernel loads, stores or computes doubles, and the device has none.
void refuse_what_device_lacks(const Kernel& kernel, const std::vector<Value>& values,
                              const Hardware& hardware);

}  // namespace burin
