// Checks of sizes, as early as the sizes are known.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// The same steps with each check moved ahead, to where the last symbol of its guard gets its value
// (the start of its list, where the caller gives them all), in every list by itself. Until a check
// has passed no size that it speaks of can be relied on, and memory is laid out by all sizes at
// once: a tensor that a later check will refuse must not push an earlier one out of its place.
Steps early_checks(Steps steps);

}  // namespace burin
