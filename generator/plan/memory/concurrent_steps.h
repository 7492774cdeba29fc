// Steps that run at the same time are one step for lifetimes: what any of them touches is held from
// the first to the last, and a value ends at one of them only where no other one touches it.
#pragma once

#include <optional>
#include <vector>

#include "plan/memory/alias_rules.h"
#include "plan/memory/lifetime.h"

namespace burin {

// Positions of the first and the last step of every group that runs at the same time, in the order
// of the rules. A group whose steps do not follow each other is an internal error.
std::vector<Interval> concurrent_intervals(const AliasRules& rules,
                                           const std::vector<Position>& positions);

void hold_concurrent(const std::vector<Interval>& groups, const std::vector<Position>& positions,
                     std::vector<Lifetime>& lives);

// The group that a position is in; by itself where it runs alone.
Interval group_at(const std::vector<Interval>& groups, int position);

}  // namespace burin
