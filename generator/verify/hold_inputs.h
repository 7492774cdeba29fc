// Models of single operators take axes, shapes and the like as inputs, and some of these must be
// known to generate code. The data of a test case say what they are.
#pragma once

#include <map>

#include "pipeline.h"
#include "report/data_set.h"

namespace burin {

// Compiles; sequences and optionals among the inputs hold what they hold in `data`, and sizes may
// be 0 where its tensors are empty. As long as the contents of an input are missing (rules
// "dynamic-..." and "unbounded-size"), the last input that is a number or a short list of integers
// becomes a constant with the contents that `data` has for it. The places of such inputs are added
// to options.held.
Compiled compile_holding(CompileOptions& options, const Hardware& hardware, const DataSet& data);

// Whether holding inputs may help against this refusal, or sizes that are 0.
bool needs_held_input(const Refused& refused);

}  // namespace burin
