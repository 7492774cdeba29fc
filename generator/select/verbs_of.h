// What was chosen of a kernel, as verbs (select/verbs/verbs.h).
#pragma once

#include "select/schedule/schedule.h"

namespace burin {

// Those that the policy of the kernel has told, then those that its schedule shows.
Verbs verbs_of(const KernelSchedule& schedule);

}  // namespace burin
