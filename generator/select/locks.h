// What the kernels of a network are told (select/verbs/verbs.h), and whether a lock was kept.
#pragma once

#include <string>

#include "select/choose.h"

namespace burin {

// What the kernel of this key is told: all its verbs by a lock, some numbers by a tuning file,
// words that are left out. `options` outlive the result.
Given given_of(const std::string& key, const SelectOptions& options);

// Refuses verbs that a locked kernel has not got. Returns how many kernels are not locked.
size_t check_locks(const LoopPlans& chosen, const LockedVerbs& locked);

}  // namespace burin
