// Cyclic shifts between two kernels.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Where `reader` goes through a dimension of the producer's result from some other element than the
// first, and round the end ((x + s) % n), and the producer writes it along one axis: both in an
// order in which that element is the first. What the producer reads is then shifted, and the
// reader's access is x. The producer must have one write.
void unrotate(Kernel& producer, Kernel& reader);

}  // namespace burin
