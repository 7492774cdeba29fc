// What a plan is told of the machine besides its products.
#pragma once

#include "hardware/hardware.h"
#include "select/integers/plan.h"

namespace burin {

// Sets the rows that carry and sum bytes, and whether floats have vectors.
void know_machine(IntegerPlan& plan, const Hardware& hardware);

}  // namespace burin
