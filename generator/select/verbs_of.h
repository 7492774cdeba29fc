// What was chosen of a kernel, as verbs (select/verbs/verbs.h).
#pragma once

#include "select/schedule/schedule.h"

namespace burin {

// Those that the policy of the kernel has told, and those that its schedule shows. In the order of
// verb_kinds() but for products, of which the second comes behind the first.
Verbs verbs_of(const KernelSchedule& schedule);

}  // namespace burin
