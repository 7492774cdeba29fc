// The program of a schedule: its loops as statements, which the interpreter runs.
#pragma once

#include <optional>

#include "loops/program.h"
#include "select/schedule/schedule.h"

namespace burin {

// nullopt: it has launches of a device, which have no statements yet.
std::optional<loops::Program> program_of(const KernelSchedule& schedule,
                                         const std::vector<Value>& values);

}  // namespace burin
