// Reductions of tuples (key, payload ...) to the tuple whose key is extreme.
#pragma once

#include "kernel/expr.h"
#include "kernel/kernel.h"

namespace burin {

bool is_keyed(Combiner op);

// The comparison of a later key with the best one so far that says whether it replaces it. A NaN
// replaces nothing; the first key of all is taken whatever it is.
Binary better_key(Combiner op);

}  // namespace burin
