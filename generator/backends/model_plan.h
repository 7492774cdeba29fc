// ModelPlan: everything that has been decided about one model. A backend turns it into text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/schedule.h"

namespace burin {

enum class WeightsMode : uint8_t { embed, blob };

// The memory plan as emission needs it: addresses and nothing else. Kernels are numbered as
// for_each_kernel visits them.
struct Placements {
  std::map<ValueId, Dim> offsets;             // of internal values, in bytes from the arena's start
  std::map<int, Dim> scratch;                 // of a kernel's scratch
  std::map<int, std::vector<ValueId>> shared; // operands of a kernel that share bytes with another one
  std::set<int> skipped;                      // kernels whose result is a view of what they read
  Dim arena_bytes = 0;
  Dim arena_bound = 0;                        // arena_bytes at the upper bounds; 0 when unbounded
  Dim lower_bound = 0;                        // the largest sum of live bytes
  Dim naive_bytes = 0;                        // every value for itself
  std::string report;                         // the memory map, for people
};

struct ModelPlan {
  std::string name;                           // of the tree; raw text until a NameTable takes it
  std::string model_sha256, hardware_sha256;  // of the files
  KernelGraph graph;
  std::vector<KernelSchedule> kernels;
  Placements memory;
  Hardware hardware;
  Profile profile = Profile::kHosted;
  WeightsMode weights = WeightsMode::blob;
};

}  // namespace burin
