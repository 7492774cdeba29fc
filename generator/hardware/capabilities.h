// What stages may ask of a machine: what it can do, not what it is called.
#pragma once

#include <algorithm>

#include "hardware/hardware.h"

namespace burin {

// Kernels are launched on a device with memory of its own.
inline bool has_device(const Hardware& hardware) { return hardware.target == Target::kOpenCl; }

// The registers that vectors of integers lie in.
inline const VectorUnit& integer_unit(const Hardware& hardware) {
  return hardware.integer_vector ? *hardware.integer_vector : hardware.vector;
}

// Quotients and roots of f32 are the nearest number. OpenCL C promises 2.5 and 3 units only.
inline bool rounds_quotients(const Hardware& hardware) {
  return hardware.target != Target::kOpenCl;
}

// Multiply-adds in f32 that all of the machine starts in the time in which its memory brings a
// byte: what is computed in fewer is not worth reading from memory.
inline int64_t multiply_adds_per_byte(const Hardware& hardware) {
  const int64_t each = has_device(hardware)
                           ? int64_t{hardware.opencl.lanes} * hardware.opencl.compute_units
                           : int64_t{hardware.vector.lanes(4)} * hardware.vector.fma_per_cycle *
                                 hardware.threads_max;
  const int64_t per_us = each * hardware.clock_mhz,
                bytes = std::max<int64_t>(1, hardware.memory.bandwidth_mb_per_s);
  return std::max<int64_t>(1, (per_us + bytes - 1) / bytes);
}

}  // namespace burin
