// Which loop of an integer product threads share.
#pragma once

#include "hardware/hardware.h"
#include "select/integers/plan.h"

namespace burin {

// Parts that repay waking a thread each, and even out threads of unequal speed; of work that takes
// one core so many cycles.
int64_t most_integer_parts(int64_t cycles, const Hardware& hardware);

// Sets what threads share, and how large a part is.
void share_parts(IntegerPlan& plan, int64_t cycles, const Hardware& hardware);

}  // namespace burin
