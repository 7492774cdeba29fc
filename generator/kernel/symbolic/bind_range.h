// Whether what a Bind evaluates lies in the range of its symbol, whatever the data are: the run
// need not look then.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Proven by what each part of its value is at least and at most. What nothing bounds before the run
// may be anything from its least on.
bool proven_in_range(const Bind& bind);

}  // namespace burin
