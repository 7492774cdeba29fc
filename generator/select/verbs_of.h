// What was chosen of a kernel, as verbs (select/verbs/verbs.h).
#pragma once

#include "select/schedule/loop_plan.h"

namespace burin {

// Those that the policy of the kernel has told, then those that its schedule shows.
Verbs verbs_of(const LoopPlan& schedule);

}  // namespace burin
