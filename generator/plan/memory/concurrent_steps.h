// Steps that run at the same time are one step for lifetimes: what any of them touches is held from
// the first to the last, and a value ends at one of them only where no other one touches it.
#pragma once

#include <vector>

#include "plan/memory/lifetime.h"

namespace burin {

// `concurrent`: positions of such steps, consecutive.
void hold_concurrent(const std::vector<std::vector<int>>& concurrent,
                     const std::vector<Position>& positions, std::vector<Lifetime>& lives);

// The group of a position; null where it runs alone.
const std::vector<int>* group_at(const std::vector<std::vector<int>>& concurrent, int position);

}  // namespace burin
