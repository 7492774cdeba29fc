// What tiles ask for before they read or write it (isa/prefetch_row.h): constant panels, which a
// network reads once in a run, and lines of results and of what is read beside them, which lie a
// row of the result apart, so that processors follow none of them.
#pragma once

#include "hardware/hardware.h"
#include "select/integers/plan.h"

namespace burin {

// Sets how far ahead panels are asked for: as many steps of the depth as a line takes to come from
// memory, twice. Nothing where the description does not say how long that is, or where all of it
// stays in the nearest cache.
void ask_ahead(IntegerPlan& plan, const std::vector<Value>& values, const RowTiming& timing,
               const Hardware& hardware);

}  // namespace burin
