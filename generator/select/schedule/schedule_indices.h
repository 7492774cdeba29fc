// Every index that the code of a schedule computes.
#pragma once

#include <functional>

#include "select/schedule/kernel_schedule.h"

namespace burin {

// Addresses, bounds of loops, conditions, extents, of its kernel and of its program; not those of
// launches, which the host computes.
void for_each_index(const KernelSchedule& schedule, const std::vector<Value>& values,
                    const std::function<void(const Index&)>& visit);

// What the host computes of launches: points of each dimension, and of all of them.
void for_each_launch_index(const LaunchNodes& launches,
                           const std::function<void(const Index&)>& visit);

}  // namespace burin
