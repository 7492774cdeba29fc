// The program of a schedule: its loops as statements, which the interpreter runs.
#pragma once

#include "loops/program.h"
#include "select/schedule/schedule.h"

namespace burin {

// Of a device: launch by launch, with tensors that are `images` in texels.
loops::Program program_of(const KernelSchedule& schedule, const std::vector<Value>& values,
                          const ImageMaps& images = {});

}  // namespace burin
