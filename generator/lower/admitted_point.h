// Sizes of the caller that checks of a run admit together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

using SizePoint = std::map<std::string, int64_t>;  // of the symbols of the caller, by name

// Those of `checks` that can be told before the run, from sizes of `params` alone.
std::vector<Check> checks_of_sizes(const std::vector<Check>& checks,
                                   const std::vector<Symbol>& params);
// Those among the steps that every run makes.
std::vector<Check> checks_of_every_run(const Steps& steps, const std::vector<Symbol>& params);

bool holds_at(const Check& check, const SizePoint& point);

// A point near `from`, which has a size for every symbol of `checks`, at which all of them hold;
// only the sizes of `movable`, within their ranges, are others than there. nullopt: none was found.
//
// First each size by the checks that are about it alone, one after the other: the nearest that the
// next check admits too, in steps of the period at which those so far repeat (of multiples of 7,
// 11 and 13 from 64 on: 63, 77, 1001), so that coprime periods cost their sum and not their
// product. Then, while some check does not hold, the one size that most of these hold with, along
// its own steps (n*m a multiple of 48 at 64, 64: n = 63). Costs at most `work` checks, of which
// what is used is taken.
std::optional<SizePoint> admitted_point(const std::vector<Check>& checks,
                                        const std::vector<Symbol>& movable, SizePoint from,
                                        int64_t& work);

}  // namespace burin
