// What the decisions about a model say of its memory, and the plan that follows from them.
#pragma once

#include "compile_options.h"
#include "plan/memory/memory_plan.h"

namespace burin {

// By the schedules and the launch groups, images and device sizes of a plan.
AliasRules alias_rules(const ModelPlan& plan);

// For this order of the steps: which copies need not run, and which values share bytes. `views` are
// the copies that images and joint launches were chosen without: no others are dropped. (One of
// them whose bytes are an image's now, or in use at the same time, runs.)
SharedMemory shared_memory(const ModelPlan& plan, const CompileOptions& options,
                           std::optional<std::set<StepId>> views = std::nullopt);

// Where all of it lies; checked.
MemoryPlan packed_memory(const ModelPlan& plan, SharedMemory shared, const CompileOptions& options);

}  // namespace burin
