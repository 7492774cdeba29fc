// What is known of a procedure of runtime_min by its name.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Whether it does arithmetic on floats; the others move and compare them.
bool rounds(const Procedure& procedure);

}  // namespace burin
