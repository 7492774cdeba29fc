// The program of what a policy chose: its loops as statements, which the interpreter runs.
#pragma once

#include <vector>

#include "loops/program.h"
#include "select/schedule/loop_plan.h"

namespace burin {

loops::Program program_of(const LoopPlan& plan, const std::vector<Value>& values);

// Of a device: launch by launch, with tensors that are `images` in texels.
loops::Program launch_program(const KernelSchedule& schedule, const std::vector<Value>& values,
                              const ImageMaps& images);

}  // namespace burin
