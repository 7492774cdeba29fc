// The loops of a kernel by its definition: where every schedule begins, and what none may differ
// from.
//
// Sequential axes run outermost; at each of their points every let is computed over its other axes,
// in order, then the writes run over theirs. A let has scratch over all of its axes. Axes run in
// ascending order, so sums are in the order of the interpreter.
#pragma once

#include "loops/program.h"

namespace burin::loops {

Program naive_program(const Kernel& kernel, const std::vector<Value>& values);

}  // namespace burin::loops
