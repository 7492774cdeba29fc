// A CPU with vectors of four floats, for tests of schedules.
#pragma once

#include <utility>
#include <vector>

#include "hardware/hardware.h"

namespace burin {

inline Hardware small_hardware(std::vector<Cache> caches) {
  Hardware hardware;
  hardware.vector.vector_bytes = 16;
  hardware.vector.registers = 16;
  hardware.vector.fma_per_cycle = 2;
  hardware.vector.fma_latency_cycles = 4;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = std::move(caches);
  return hardware;
}

}  // namespace burin
