// What is known of a procedure of runtime_min by its name.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Whether it does arithmetic on floats; the others move and compare them.
bool rounds(const Procedure& procedure);

// Why a run ends that cannot go on: a loop would go on beyond its bound, none of several paths ran.
enum class Stop : uint8_t { iterations, no_path };

// Ends the run where `reason` holds, a boolean of one element.
Procedure stop_if(ValueId reason, Stop why);

}  // namespace burin
