// What one element of an operand takes, for choices between computing it often and storing it once.
#pragma once

#include "kernel/expr.h"

namespace burin {

constexpr double kLeastStagedWork = 4;  // an address, a load and a store

// Operations, roughly: functions, divisions and conditions count for what they take on a device.
double work_of(const Expr& expr);

}  // namespace burin
