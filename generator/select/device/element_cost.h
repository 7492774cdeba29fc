// Recomputation cost of one element of an operand: to choose between computing it often and storing
// it once.
#pragma once

#include "hardware/hardware.h"
#include "kernel/expr/expr.h"

namespace burin {

constexpr double kLeastStagedWork = 4;  // an address, a load and a store

// Operations, roughly: functions, divisions and conditions count for what they take on the device.
double work_of(const Expr& expr, const OpenClDevice& device);

}  // namespace burin
