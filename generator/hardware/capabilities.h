// What stages may ask of a machine: what it can do, not what it is called.
#pragma once

#include "hardware/hardware.h"

namespace burin {

// Kernels are launched on a device with memory of its own.
inline bool has_device(const Hardware& hardware) { return hardware.target == Target::kOpenCl; }

// Quotients and roots of f32 are the nearest number. OpenCL C promises 2.5 and 3 units only.
inline bool rounds_quotients(const Hardware& hardware) {
  return hardware.target != Target::kOpenCl;
}

}  // namespace burin
