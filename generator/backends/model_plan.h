// ModelPlan: everything that has been decided about one model. A backend turns it into text.
#pragma once

#include <map>
#include <string>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "plan/memory_plan.h"
#include "select/schedule.h"

namespace burin {

enum class WeightsMode : uint8_t { embed, blob };

struct ModelPlan {
  std::string name;                           // of the tree; raw text until a NameTable takes it
  std::string model_sha256, hardware_sha256;  // of the files
  KernelGraph graph;
  std::map<int, KernelSchedule> kernels;  // by position of the step (plan/lifetime.h)
  MemoryPlan memory;
  int64_t size_limit = kUnbounded;  // of the caller's sizes that have no bound (plan/size_limit.h)
  Hardware hardware;
  Profile profile = Profile::kHosted;
  WeightsMode weights = WeightsMode::blob;
};

}  // namespace burin
