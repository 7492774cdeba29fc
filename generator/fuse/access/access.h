// What the accesses of kernels say about fusing them.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// A kernel that writes one value once, element by element: no lets, no guard, `at` a permutation of
// the axes.
bool is_map(const Kernel& kernel);
// A map that only moves: its value is a load, or cases of loads and constants.
bool is_movement(const Kernel& kernel);
// A movement with several loads (a concatenation).
bool is_concat(const Kernel& kernel);

// All points at which `kernel` loads `value`, without duplicates.
std::vector<std::vector<Index>> load_points(const Kernel& kernel, ValueId value);

// For a map and the point of its result: the index of each of its axes.
std::vector<Index> axes_at(const Kernel& map, const std::vector<Index>& point);

// The map's value at `point` of its result.
Expr value_at(const Kernel& map, const std::vector<Index>& point);

// Given that a map reads `from` (of shape `from_shape`) at `read` for the point `axes` of its own
// result: its axes as functions of a point of `from`. nullopt when the reading is not one-to-one,
// or not seen to be so.
std::optional<std::vector<Index>> invert(const Kernel& map, const std::vector<Index>& read,
                                         const std::vector<Dim>& from_shape,
                                         const std::vector<Index>& from_point);

}  // namespace burin
