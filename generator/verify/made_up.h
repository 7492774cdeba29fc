// What a model without data is verified with: inputs that are made up, and the interpreter's
// results of the network as it was lowered, before anything was fused, selected or placed.
#pragma once

#include "verify/run_cases.h"

namespace burin {

// Refused (io) where no inputs were found that the model accepts, or the interpreter would need too
// long for them.
std::vector<NamedCase> made_up_cases(const Compiled& compiled, const CompileOptions& options);

// The interpreter's results, where the data say nothing of any output; else the case as it is.
NamedCase with_results(const Compiled& compiled, NamedCase one);

}  // namespace burin
