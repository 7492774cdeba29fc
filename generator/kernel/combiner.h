// What a reduction combines its elements with.
#pragma once

#include <optional>

#include "kernel/expr/expr.h"
#include "kernel/kernel.h"

namespace burin {

// The operation of an accumulator and an element; nothing for maps and keyed combiners.
std::optional<Binary> combining(Combiner op);

// The value that combining with leaves an accumulator as it is.
Expr identity_of(Combiner op, Type type);

// Reductions of tuples (key, payload ...) to the tuple whose key is extreme.
bool is_keyed(Combiner op);

// The comparison of a later key with the best one so far that says whether it replaces it. A NaN
// replaces nothing; the first key of all is taken whatever it is.
Binary better_key(Combiner op);

}  // namespace burin
