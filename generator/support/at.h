// Numbers of steps, values and places are int; containers are indexed by size_t.
#pragma once

#include <cstddef>

namespace burin {

constexpr size_t at(int place) { return static_cast<size_t>(place); }

}  // namespace burin
