// The program of a schedule: its loops as statements, which the interpreter runs.
#pragma once

#include <optional>

#include "loops/program.h"
#include "select/schedule.h"

namespace burin {

// nullopt: a family that has no statements yet (attention; launches of devices).
std::optional<loops::Program> program_of(const KernelSchedule& schedule,
                                         const std::vector<Value>& values);

}  // namespace burin
